// The yardsticks that everybody knows.
#include "check/suite_cases.h"

namespace coterie::check {

using enum Property;
using enum Effort;

std::vector<Case> yardsticks_cases() {
  return {
      holds("ricart-agrawala-1", "ricart-agrawala --processes 1 --requests 2", {5, 4, 4}),
      holds("ricart-agrawala-3", "ricart-agrawala --processes 3 --requests 2", {25674, 71372, 36}),
      holds("ricart-agrawala-3-r3", "ricart-agrawala --processes 3 --requests 3",
            {122015, 343669, 54}),
      holds("ricart-agrawala-4", "ricart-agrawala --processes 4", {1402298, 7398198, 32}, soak),
      holds("ricart-agrawala-unordered", "ricart-agrawala --processes 3 --requests 2 --unordered",
            {43102, 149930, 36}),
      breaks("ricart-agrawala@no-tie-break", safety, "ricart-agrawala@no-tie-break --processes 2",
             {32, 42, 6}),
      breaks("ricart-agrawala@no-clock", safety, "ricart-agrawala@no-clock --processes 3",
             {1780, 4918, 10}),
      holds("suzuki-kasami-3", "suzuki-kasami --processes 3 --requests 2", {15110, 48061, 30}),
      holds("suzuki-kasami-3-r3", "suzuki-kasami --processes 3 --requests 3", {195565, 686896, 45},
            soak),
      holds("suzuki-kasami-4", "suzuki-kasami --processes 4", {81039, 422942, 24}),
      holds("suzuki-kasami-unordered", "suzuki-kasami --processes 3 --requests 2 --unordered",
            {62103, 272637, 30}),
      breaks("suzuki-kasami@serves-again", slot,
             "suzuki-kasami@serves-again --processes 3 --requests 2", {11724, 35364, 19}),
      breaks("suzuki-kasami@queues-again", slot,
             "suzuki-kasami@queues-again --processes 3 --requests 2", {7910, 22437, 16}),
      holds("raymond-3", "raymond --processes 3 --requests 3", {2688, 5617, 26}),
      holds("raymond-4", "raymond --processes 4 --requests 2", {11079, 27819, 29}),
      holds("raymond-5", "raymond --processes 5 --requests 2", {137572, 402739, 37}),
      holds("raymond-7", "raymond --processes 7", {267036, 931911, 38}, soak),
      holds("raymond-unordered", "raymond --processes 4 --requests 2 --unordered",
            {13954, 35663, 30}),
      breaks("raymond@asks-once", served, "raymond@asks-once --processes 3", {126, 212, 8}),
      holds("central-3", "central --processes 3 --requests 3", {3940, 9093, 45}),
      holds("central-4", "central --processes 4 --requests 2", {13029, 33984, 40}),
      holds("central-unordered", "central --processes 3 --requests 3 --unordered",
            {5062, 11805, 45}),
  };
}

}  // namespace coterie::check
