// A program that is a member of its cluster: embedded MEMBER.TOML [new-cluster]
#include "coterie/embedded.h"

#include <cstdio>
#include <string>

using namespace std::chrono_literals;

namespace {

int complain(const coterie::Refusal& refusal) {
  std::fprintf(stderr, "%s\n", refusal.text.c_str());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return complain({coterie::Reason::invalid, "which member.toml?"});
  auto member = coterie::EmbeddedMember::start(argv[1], {.is_new_cluster = argc > 2});
  if (!member) return complain(member.error());

  // Each client excludes the others, and programs that are connected to any member.
  auto client = member->client("example");
  if (!client) return complain(client.error());

  std::uint64_t token = 0;
  for (int entry = 0; entry < 1'000; ++entry) {
    // The first asks other members. The rest does not, as long as nobody else wants it.
    auto hold = client->mutex("example", coterie::Patience::at_most(30s));
    if (!hold) return complain(hold.error());
    if (hold->token() <= token) return complain({coterie::Reason::lost, "a token from the past"});
    token = hold->token();
  }
  std::printf("inside a thousand times, at last with token %llu\n",
              static_cast<unsigned long long>(token));
}
