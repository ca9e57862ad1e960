// Census with three participants, all of whom ask, and one fault: a case for each problem and each fault, which
// strikes at any moment and whomever. Every process is a requester and an arbiter. Where one asks to enter, a hold
// that lasts asks for its spare when nothing is under way (--alarms late). The largest need --memory 6144.
#include "check/suite_cases.h"

namespace coterie::check {
namespace {

using enum Effort;

// Clients of one who crashes inside believe it until its leases have run out.
std::vector<Case> crashed() {
  return {
      holds("census-semaphore-crash-3",
            "census --system majority:n=3 --self immediate --alarms late --crashes 1",
            {342991, 1134424, 38}, soak),
      holds("census-semaphore-k2-crash-3",
            "census --system majority:n=3 --max 2 --self immediate --alarms late --crashes 1",
            {1647386, 6655984, 36}, soak),
      holds("census-rooms-k1-crash-3",
            "census+rooms --system majority:n=3 --groups a,b,a --max 1 --self immediate "
            "--alarms late --crashes 1",
            {535710, 1905068, 38}, soak),
      holds("census-rooms-k2-crash-3",
            "census+rooms --system majority:n=3 --groups a,b,c --max 2 --self immediate "
            "--alarms late --crashes 1",
            {1647386, 6655984, 36}, soak),
      holds("census-rooms-k2-shared-crash-3",
            "census+rooms --system majority:n=3 --groups a,b,a --max 2 --self immediate "
            "--alarms late --crashes 1",
            {2933881, 13214969, 35}, soak),
      holds("census-floor-l1-crash-3",
            "census+floor --system majority:n=3 --min 1 --self immediate --crashes 1",
            {487015, 1931744, 29}, soak),
      holds("census-floor-l2-crash-3",
            "census+floor --system majority:n=3 --min 2 --self immediate --crashes 1",
            {464510, 1852558, 28}, soak),
      holds("census-band-l1-k2-crash-3",
            "census+band --system majority:n=3 --min 1 --max 2 --self immediate --alarms late "
            "--crashes 1",
            {231500, 936827, 29}),
  };
}

std::vector<Case> restarted() {
  return {
      holds("census-semaphore-crash-restart-3",
            "census --system majority:n=3 --self immediate --alarms late --crashes 1 "
            "--restarts 1",
            {9813307, 39222360, 55}, soak),
      holds("census-semaphore-k2-crash-restart-3",
            "census --system majority:n=3 --max 2 --self immediate --alarms late --crashes 1 "
            "--restarts 1",
            {78804402, 351453870, 58}, soak),
      holds("census-rooms-k1-crash-restart-3",
            "census+rooms --system majority:n=3 --groups a,b,a --max 1 --self immediate "
            "--alarms late --crashes 1 --restarts 1",
            {22750066, 97170521, 55}, soak),
      holds("census-rooms-k2-crash-restart-3",
            "census+rooms --system majority:n=3 --groups a,b,c --max 2 --self immediate "
            "--alarms late --crashes 1 --restarts 1",
            {78900903, 352065890, 58}, soak),
      holds("census-floor-l1-crash-restart-3",
            "census+floor --system majority:n=3 --min 1 --self immediate --crashes 1 "
            "--restarts 1",
            {30051814, 145101846, 41}, soak),
      holds("census-floor-l2-crash-restart-3",
            "census+floor --system majority:n=3 --min 2 --self immediate --crashes 1 "
            "--restarts 1",
            {27558600, 133131581, 40}, soak),
      holds("census-band-l1-k2-crash-restart-3",
            "census+band --system majority:n=3 --min 1 --max 2 --self immediate --alarms late "
            "--crashes 1 --restarts 1",
            {12862300, 58446838, 46}, soak),
  };
}

std::vector<Case> lapsed() {
  return {
      holds("census-semaphore-lapse-3",
            "census --system majority:n=3 --self immediate --alarms late --lapses 1",
            {2259877, 6711423, 48}, soak),
      holds("census-semaphore-k2-lapse-3",
            "census --system majority:n=3 --max 2 --self immediate --alarms late --lapses 1",
            {29077041, 102685060, 50}, soak),
      holds("census-rooms-k1-lapse-3",
            "census+rooms --system majority:n=3 --groups a,b,a --max 1 --self immediate "
            "--alarms late --lapses 1",
            {5048965, 16322181, 47}, soak),
      holds("census-rooms-k2-lapse-3",
            "census+rooms --system majority:n=3 --groups a,b,c --max 2 --self immediate "
            "--alarms late --lapses 1",
            {29077041, 102685060, 50}, soak),
      holds("census-floor-l1-lapse-3",
            "census+floor --system majority:n=3 --min 1 --self immediate --lapses 1",
            {998848, 3020084, 33}, soak),
      holds("census-floor-l2-lapse-3",
            "census+floor --system majority:n=3 --min 2 --self immediate --lapses 1",
            {898943, 2711653, 32}, soak),
      holds("census-band-l1-k2-lapse-3",
            "census+band --system majority:n=3 --min 1 --max 2 --self immediate --alarms late "
            "--lapses 1",
            {2721014, 8923540, 38}, soak),
  };
}

std::vector<Case> suspected() {
  return {
      holds("census-semaphore-suspicion-3",
            "census --system majority:n=3 --self immediate --alarms late --suspicions 1",
            {848086, 2974389, 42}, soak),
      holds("census-semaphore-k2-suspicion-3",
            "census --system majority:n=3 --max 2 --self immediate --alarms late --suspicions "
            "1",
            {6280571, 25295545, 43}, soak),
      holds("census-rooms-k1-suspicion-3",
            "census+rooms --system majority:n=3 --groups a,b,a --max 1 --self immediate "
            "--alarms late --suspicions 1",
            {1512046, 5619066, 41}, soak),
      holds("census-rooms-k2-suspicion-3",
            "census+rooms --system majority:n=3 --groups a,b,c --max 2 --self immediate "
            "--alarms late --suspicions 1",
            {6280571, 25295545, 43}, soak),
      holds("census-floor-l1-suspicion-3",
            "census+floor --system majority:n=3 --min 1 --self immediate --suspicions 1",
            {16094, 49728, 23}),
      holds("census-floor-l2-suspicion-3",
            "census+floor --system majority:n=3 --min 2 --self immediate --suspicions 1",
            {14225, 44129, 20}),
      holds("census-band-l1-k2-suspicion-3",
            "census+band --system majority:n=3 --min 1 --max 2 --self immediate --alarms late "
            "--suspicions 1",
            {117929, 387789, 27}),
  };
}

}  // namespace

std::vector<Case> census_fault_cases() {
  std::vector<Case> cases;
  for (const auto part : {crashed, restarted, lapsed, suspected}) {
    const std::vector<Case> more = part();
    cases.insert(cases.end(), more.begin(), more.end());
  }
  return cases;
}

}  // namespace coterie::check
