// Holds a mutex for a moment: blocking HOST:PORT...
#include <cstdio>
#include <string>
#include <thread>

#include "coterie/client.h"

using namespace std::chrono_literals;

namespace {

int complain(const coterie::Refusal& refusal) {
  std::fprintf(stderr, "%s\n", refusal.text.c_str());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  auto client =
      coterie::Client::connect({.addresses = {argv + 1, argv + argc}, .label = "example"});
  if (!client) return complain(client.error());

  auto hold = client->mutex("example", coterie::Patience::at_most(30s));
  if (!hold) return complain(hold.error());
  hold->on_lost([](const std::string& why) { std::fprintf(stderr, "lost: %s\n", why.c_str()); });

  std::printf("inside with token %llu\n", static_cast<unsigned long long>(hold->token()));
  // Work in steps, and look between them.
  for (int step = 0; step < 3 && hold->is_valid(); ++step) std::this_thread::sleep_for(10ms);

  if (const auto left = hold->release(); !left) return complain(left.error());
  std::printf("left\n");
}
