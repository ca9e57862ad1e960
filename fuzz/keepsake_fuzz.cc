// What others say that a member without its disk had to keep: it takes it, goes on, and can tell of it.
#include "fuzz.h"
#include "member_fuzz.h"

COTERIE_FUZZ(keepsake) {
  using coterie::member::Duration;
  coterie::fuzz::Lonely member({"a", "b", "c"}, coterie::member::Birth::amnesia);
  coterie::member::Frame frame;
  frame.from = 7;
  frame.to = 5;
  frame.ceiling = 100;
  frame.keepsakes = coterie::Bytes(bytes);
  for (const coterie::NodeId peer : {1U, 2U}) member.brain().receive(peer, frame, member.later());
  member.brain().tick(member.later(Duration::seconds(10)));  // its silence is over
  for (const std::string& name : member.brain().names("", 1'000))
    static_cast<void>(member.brain().view(name, member.later()));
}
