// A session with very many holds: no event looks at all of them. With a look at all for each event these tests take
// minutes of processor time; without, a second. The bound lies far from both.
#include <ctime>

#include "session/session_fixture.h"

namespace coterie::session {
namespace {

constexpr std::size_t kMany = 100'000;
constexpr double kMostSeconds = 30;  // of the processor, not of the clock on the wall

class SessionScaleTest : public SessionTest {
 protected:
  void connect_and_enter_many() {
    connect();
    for (std::size_t i = 0; i < kMany; ++i) grant_from(4, ask(at(0)), 1, at(0));
    heard();
    begun_ = std::clock();
  }
  double seconds() const { return static_cast<double>(std::clock() - begun_) / CLOCKS_PER_SEC; }
  std::size_t times(const std::string& what) {
    const auto all = heard();
    return static_cast<std::size_t>(std::count_if(
        all.begin(), all.end(), [&](const auto& text) { return text.starts_with(what); }));
  }

 private:
  std::clock_t begun_ = 0;
};

TEST_F(SessionScaleTest, AllMoveAwayFromAMemberThatStops) {
  connect_and_enter_many();
  stop_member(at(100));
  session_->hello(false, at(110));
  welcome(9, at(110));
  heard();
  for (Ticket ticket = 1; ticket <= kMany; ++ticket) {
    grant_from(5, ticket, 1, at(200));
    if (ticket == kMany / 2) {
      EXPECT_EQ(times("close former"), 0U);
    }
  }
  const auto all = heard();
  EXPECT_EQ(all.back(), "close former");
  EXPECT_EQ(std::count(all.begin(), all.end(), "close former"), 1);
  EXPECT_LT(seconds(), kMostSeconds);
}

TEST_F(SessionScaleTest, AllAreLeftAtAMemberThatStopsAndIsTheOnlyOne) {
  has_elsewhere_ = false;
  connect_and_enter_many();
  stop_member(at(100));
  for (Ticket ticket = 1; ticket <= kMany; ++ticket) session_->abandon(ticket, at(10));
  const auto all = heard();
  EXPECT_EQ(all.back(), "part");
  EXPECT_LT(seconds(), kMostSeconds);
}

TEST_F(SessionScaleTest, AllAreKeptWhenAConnectionBreaksAndIsThereAgain) {
  connect_and_enter_many();
  session_->disconnected();
  session_->hello(true, at(200));
  api::Welcome again = welcome_of(7);
  again.is_resumed = true;
  for (Ticket ticket = kMany; ticket > 0; --ticket)
    again.inside.push_back(granted_of(ticket, 2, 3'000));
  session_->welcomed(again, at(210));
  EXPECT_EQ(times("renewed"), kMany);
  EXPECT_LT(seconds(), kMostSeconds);
}

TEST_F(SessionScaleTest, AllThatWaitGoOnWaitingWhenAConnectionBreaksAndIsThereAgain) {
  connect();
  for (std::size_t i = 0; i < kMany; ++i) ask(at(0));
  heard();
  const std::clock_t begun = std::clock();
  session_->disconnected();
  session_->hello(true, at(200));
  api::Welcome again = welcome_of(7);
  again.is_resumed = true;
  for (Ticket ticket = kMany; ticket > 0; --ticket) again.waiting.push_back(ticket);
  session_->welcomed(again, at(210));
  EXPECT_EQ(times("ask"), 0U);
  EXPECT_LT(static_cast<double>(std::clock() - begun) / CLOCKS_PER_SEC, kMostSeconds);
}

}  // namespace
}  // namespace coterie::session
