// Whatever bytes come from a network: a process refuses them, or takes them for a message. It may find that the
// message cannot be, and stop at an assertion; it does nothing else.
#include <gtest/gtest.h>

#include <exception>
#include <string>

#include "base/assertion_watch.h"
#include "base/random.h"
#include "coterie/spec.h"
#include "protocol/instance.h"

namespace coterie::protocol {
namespace {

class Deaf : public Sink {
  void send(NodeId /*to*/, std::string_view message, const Label& /*label*/) override {
    last = message;
  }
  void entered(Group /*group*/) override {}
  void exited() override {}
  void set_alarm() override {}
  void lost() override {}

 public:
  std::string last;
};

// Half of them a real message with some bytes changed, so that most of its reader is reached.
std::string some_bytes(Random& random, const std::string& real) {
  std::string bytes = random.chance(0.5) ? real : std::string(random.below(24), '\0');
  if (bytes == real) {
    for (std::uint64_t i = random.below(3); i-- > 0 && !bytes.empty();)
      bytes[random.below(bytes.size())] = static_cast<char>(random.below(256));
    if (random.chance(0.2)) bytes.resize(random.below(bytes.size() + 4));
  } else {
    for (char& byte : bytes)
      byte = static_cast<char>(random.chance(0.7) ? random.below(8) : random.below(256));
  }
  return bytes;
}

TEST(AnyBytes, AreAMessageOrNone) {
  const AssertionWatch watch;
  for (const Entry& entry : catalogue()) {
    const bool is_floor = entry.starts_inside && entry.problem != Problem::semaphore;
    const std::string system = entry.name == "joung" || entry.name == "maekawa-m"
                                   ? "surficial:groups=3,degree=1"
                                   : "majority:n=3";
    std::vector<quorum::System> systems;
    if (entry.needs_system) systems.push_back(*quorum::parse(system));
    const auto instance = make_instance({.protocol = std::string(entry.name),
                                         .processes = {},
                                         .min = is_floor ? std::optional(1U) : std::nullopt,
                                         .max = {},
                                         .locks = 0,
                                         .inside = ""},
                                        systems, 9);
    ASSERT_TRUE(instance) << entry.name << ": " << instance.error().message;
    if (refusal(instance->choice, instance->setting)) continue;
    Random random(7);
    std::size_t refused = 0;
    for (int round = 0; round < 300; ++round) {
      const auto process = instance->choice.make()(instance->setting, 1);
      Deaf sink;
      try {
        if (is_floor) {
          process->exit(sink);
        } else {
          process->enter({}, sink);
        }
        for (int i = 0; i < 5; ++i) {
          const auto from = static_cast<NodeId>(random.below(3));
          if (!process->on(from, some_bytes(random, sink.last), sink)) ++refused;
        }
      } catch (const AssertionFailure&) {
      } catch (const std::exception& other) {
        FAIL() << entry.name << ": " << other.what();
      }
    }
    EXPECT_GT(refused, 0U) << entry.name;
  }
}

}  // namespace
}  // namespace coterie::protocol
