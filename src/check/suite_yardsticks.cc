// The yardsticks that everybody knows.
#include "check/suite_cases.h"

namespace coterie::check {

using enum Property;
using enum Effort;

std::vector<Case> yardsticks_cases() {
  return {
      holds("ricart-agrawala", "ricart-agrawala --processes 3 --requests 2", {25674, 71372, 36}),
      breaks("ricart-agrawala@no-tie-break", safety, "ricart-agrawala@no-tie-break --processes 2",
             {32, 42, 6}),
      breaks("ricart-agrawala@no-clock", safety,
             "ricart-agrawala@no-clock --processes 3 --requests 2", {2275, 5842, 10}),
      holds("suzuki-kasami", "suzuki-kasami --processes 3 --requests 2", {15110, 48061, 30}),
      breaks("suzuki-kasami@serves-again", slot,
             "suzuki-kasami@serves-again --processes 3 --requests 2", {11724, 35364, 19}),
      breaks("suzuki-kasami@queues-again", slot,
             "suzuki-kasami@queues-again --processes 3 --requests 2", {7910, 22437, 16}),
      holds("raymond-3", "raymond --processes 3 --requests 2", {854, 1705, 20}),
      holds("raymond-4", "raymond --processes 4 --requests 2", {11079, 27819, 29}),
      breaks("raymond@asks-once", served, "raymond@asks-once --processes 3", {126, 212, 8}),
      holds("central-3", "central --processes 3 --requests 2", {1238, 2748, 30}),
      holds("central-4", "central --processes 4 --requests 2", {13029, 33984, 40}),
  };
}

}  // namespace coterie::check
