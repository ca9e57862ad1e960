// Census with three participants, all of whom ask, and one fault: a line for each problem and each fault, which
// strikes at any moment and whomever. Every process is a requester and an arbiter. Where one asks to enter, a hold
// that lasts asks for its spare when nothing is under way (--alarms late).
#include "check/suite_cases.h"

namespace coterie::check {
namespace {

using enum Effort;

// Clients of one who crashes inside believe it until its leases have run out.
std::vector<Case> crashed() {
  return {
      holds("census-semaphore-crash-3",
            "census --system majority:n=3 --self immediate --alarms late --crashes 1", {0, 0, 0},
            soak),
      holds("census-semaphore-k2-crash-3",
            "census --system majority:n=3 --max 2 --self immediate --alarms late --crashes 1",
            {0, 0, 0}, soak),
      holds("census-rooms-k1-crash-3",
            "census+rooms --system majority:n=3 --groups a,b,a --max 1 --self immediate "
            "--alarms late --crashes 1",
            {0, 0, 0}, soak),
      holds("census-rooms-k2-crash-3",
            "census+rooms --system majority:n=3 --groups a,b,c --max 2 --self immediate "
            "--alarms late --crashes 1",
            {0, 0, 0}, soak),
      holds("census-floor-l1-crash-3",
            "census+floor --system majority:n=3 --min 1 --self immediate --crashes 1", {0, 0, 0},
            soak),
      holds("census-floor-l2-crash-3",
            "census+floor --system majority:n=3 --min 2 --self immediate --crashes 1", {0, 0, 0},
            soak),
      holds("census-band-l1-k2-crash-3",
            "census+band --system majority:n=3 --min 1 --max 2 --self immediate --alarms late "
            "--crashes 1",
            {0, 0, 0}, soak),
  };
}

std::vector<Case> restarted() {
  return {
      holds("census-semaphore-crash-restart-3",
            "census --system majority:n=3 --self immediate --alarms late --crashes 1 "
            "--restarts 1",
            {0, 0, 0}, soak),
      holds("census-semaphore-k2-crash-restart-3",
            "census --system majority:n=3 --max 2 --self immediate --alarms late --crashes 1 "
            "--restarts 1",
            {0, 0, 0}, soak),
      holds("census-rooms-k1-crash-restart-3",
            "census+rooms --system majority:n=3 --groups a,b,a --max 1 --self immediate "
            "--alarms late --crashes 1 --restarts 1",
            {0, 0, 0}, soak),
      holds("census-rooms-k2-crash-restart-3",
            "census+rooms --system majority:n=3 --groups a,b,c --max 2 --self immediate "
            "--alarms late --crashes 1 --restarts 1",
            {0, 0, 0}, soak),
      holds("census-floor-l1-crash-restart-3",
            "census+floor --system majority:n=3 --min 1 --self immediate --crashes 1 "
            "--restarts 1",
            {0, 0, 0}, soak),
      holds("census-floor-l2-crash-restart-3",
            "census+floor --system majority:n=3 --min 2 --self immediate --crashes 1 "
            "--restarts 1",
            {0, 0, 0}, soak),
      holds("census-band-l1-k2-crash-restart-3",
            "census+band --system majority:n=3 --min 1 --max 2 --self immediate --alarms late "
            "--crashes 1 --restarts 1",
            {0, 0, 0}, soak),
  };
}

std::vector<Case> lapsed() {
  return {
      holds("census-semaphore-lapse-3",
            "census --system majority:n=3 --self immediate --alarms late --lapses 1", {0, 0, 0},
            soak),
      holds("census-semaphore-k2-lapse-3",
            "census --system majority:n=3 --max 2 --self immediate --alarms late --lapses 1",
            {0, 0, 0}, soak),
      holds("census-rooms-k1-lapse-3",
            "census+rooms --system majority:n=3 --groups a,b,a --max 1 --self immediate "
            "--alarms late --lapses 1",
            {0, 0, 0}, soak),
      holds("census-rooms-k2-lapse-3",
            "census+rooms --system majority:n=3 --groups a,b,c --max 2 --self immediate "
            "--alarms late --lapses 1",
            {0, 0, 0}, soak),
      holds("census-floor-l1-lapse-3",
            "census+floor --system majority:n=3 --min 1 --self immediate --lapses 1", {0, 0, 0},
            soak),
      holds("census-floor-l2-lapse-3",
            "census+floor --system majority:n=3 --min 2 --self immediate --lapses 1", {0, 0, 0},
            soak),
      holds("census-band-l1-k2-lapse-3",
            "census+band --system majority:n=3 --min 1 --max 2 --self immediate --alarms late "
            "--lapses 1",
            {0, 0, 0}, soak),
  };
}

std::vector<Case> suspected() {
  return {
      holds("census-semaphore-suspicion-3",
            "census --system majority:n=3 --self immediate --alarms late --suspicions 1", {0, 0, 0},
            soak),
      holds("census-semaphore-k2-suspicion-3",
            "census --system majority:n=3 --max 2 --self immediate --alarms late --suspicions "
            "1",
            {0, 0, 0}, soak),
      holds("census-rooms-k1-suspicion-3",
            "census+rooms --system majority:n=3 --groups a,b,a --max 1 --self immediate "
            "--alarms late --suspicions 1",
            {0, 0, 0}, soak),
      holds("census-rooms-k2-suspicion-3",
            "census+rooms --system majority:n=3 --groups a,b,c --max 2 --self immediate "
            "--alarms late --suspicions 1",
            {0, 0, 0}, soak),
      holds("census-floor-l1-suspicion-3",
            "census+floor --system majority:n=3 --min 1 --self immediate --suspicions 1", {0, 0, 0},
            soak),
      holds("census-floor-l2-suspicion-3",
            "census+floor --system majority:n=3 --min 2 --self immediate --suspicions 1", {0, 0, 0},
            soak),
      holds("census-band-l1-k2-suspicion-3",
            "census+band --system majority:n=3 --min 1 --max 2 --self immediate --alarms late "
            "--suspicions 1",
            {0, 0, 0}, soak),
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
