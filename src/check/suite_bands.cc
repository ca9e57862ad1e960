// Bands: (l,k)-GCS, of MUTIN(l) and of fused floors. In the names: l and k, the requests of each (r), who
// starts inside (in); 3of4: all but one of four; queued: messages to oneself are a step of their own.
#include "check/suite_cases.h"

namespace coterie::check {

using enum Property;
using enum Effort;

std::vector<Case> bands_cases() {
  return {
      // Parts that begin inside without being made for it, and that set alarms.
      holds("gcs[fused;k-mutex]-l0k1-r2",
            "'gcs[mutin-fused;k-mutex]' --system majority:n=3 --system k-majority:n=3,k=1 "
            "--requests 2 --min 0 --max 1 --self immediate --alarms late",
            {5733, 15772, 39}),
      holds("gcs[complement;complement]-l2k3-r2",
            "'gcs[complement[k-mutex];complement[mutin-fused]]' --system majority:n=3 --requests 2 "
            "--min 2 --max 3 --self immediate --alarms late",
            {7468, 19699, 34}),
      breaks("gcs@kmex-first", safety, "gcs@kmex-first --system majority:n=3 --min 1 --max 2",
             {15855, 58132, 15}),
      breaks("gcs@lmin-first", safety, "gcs@lmin-first --system majority:n=3 --min 1 --max 2",
             {57847, 246578, 29}),
      holds("gcs-3of4-l0k1", "gcs --system k-majority:n=4,k=1 --min 0 --max 1 --self immediate",
            {756699, 3713203, 50}, soak),
      holds("gcs-3of4-l1k2", "gcs --system k-majority:n=4,k=1 --min 1 --max 2 --self immediate",
            {1021518, 5005913, 68}, soak),
      holds("gcs-3-l0k1-queued", "gcs --system majority:n=3 --min 0 --max 1", {24945, 103374, 43}),
      holds("gcs-3-l0k1-r2",
            "gcs --system majority:n=3 --requests 2 --min 0 --max 1 --self immediate",
            {3419, 9101, 54}),
      holds("gcs-3-l0k1-r3",
            "gcs --system majority:n=3 --requests 3 --min 0 --max 1 --self immediate",
            {17249, 47509, 78}),
      holds("gcs-3-l0k2-queued", "gcs --system majority:n=3 --min 0 --max 2", {61553, 258321, 51}),
      holds("gcs-3-l0k2-r2",
            "gcs --system majority:n=3 --requests 2 --min 0 --max 2 --self immediate",
            {15063, 43713, 54}),
      holds("gcs-3-l0k2-r3",
            "gcs --system majority:n=3 --requests 3 --min 0 --max 2 --self immediate",
            {126475, 375526, 82}),
      holds("gcs-3-l0k3-queued", "gcs --system majority:n=3 --min 0 --max 3", {190970, 811260, 51},
            soak),
      holds("gcs-3-l0k3-r2",
            "gcs --system majority:n=3 --requests 2 --min 0 --max 3 --self immediate",
            {40347, 120526, 56}),
      holds("gcs-3-l0k3-r3",
            "gcs --system majority:n=3 --requests 3 --min 0 --max 3 --self immediate",
            {419500, 1304303, 84}, soak),
      holds("gcs-3-l1k2-r2-in0",
            "gcs --system majority:n=3 --requests 2 --min 1 --max 2 --inside 0 --self immediate",
            {6953, 19187, 54}),
      holds("gcs-3-l1k2-queued", "gcs --system majority:n=3 --min 1 --max 2", {33363, 136041, 51}),
      holds("gcs-3-l1k2-r2",
            "gcs --system majority:n=3 --requests 2 --min 1 --max 2 --self immediate",
            {6711, 18445, 54}),
      holds("gcs-3-l1k2-r3",
            "gcs --system majority:n=3 --requests 3 --min 1 --max 2 --self immediate",
            {43596, 121937, 81}),
      holds("gcs-3-l1k3-r2-in0",
            "gcs --system majority:n=3 --requests 2 --min 1 --max 3 --inside 0 --self immediate",
            {15858, 46080, 55}),
      holds("gcs-3-l1k3-queued", "gcs --system majority:n=3 --min 1 --max 3", {145014, 600546, 43}),
      holds("gcs-3-l1k3-r2",
            "gcs --system majority:n=3 --requests 2 --min 1 --max 3 --self immediate",
            {20676, 58485, 55}),
      holds("gcs-3-l1k3-r3",
            "gcs --system majority:n=3 --requests 3 --min 1 --max 3 --self immediate",
            {211575, 630577, 79}, soak),
      holds("gcs-3-l2k3-r2-in01",
            "gcs --system majority:n=3 --requests 2 --min 2 --max 3 --inside 0,1 --self immediate",
            {3668, 9786, 55}),
      holds("gcs-3-l2k3-queued", "gcs --system majority:n=3 --min 2 --max 3", {60860, 238950, 31}),
      holds("gcs-3-l2k3-r2",
            "gcs --system majority:n=3 --requests 2 --min 2 --max 3 --self immediate",
            {4494, 11443, 55}),
      holds("gcs-3-l2k3-r3",
            "gcs --system majority:n=3 --requests 3 --min 2 --max 3 --self immediate",
            {35018, 96815, 73}),
      holds("gcs-4-l0k1", "gcs --system majority:n=4 --min 0 --max 1 --self immediate",
            {10022, 35432, 34}),
      holds("gcs-4-l0k1-r2",
            "gcs --system majority:n=4 --requests 2 --min 0 --max 1 --self immediate",
            {159108, 632045, 89}, soak),
      holds("gcs-4-l0k2", "gcs --system majority:n=4 --min 0 --max 2 --self immediate",
            {28312, 111531, 44}),
      holds("gcs-4-l0k3", "gcs --system majority:n=4 --min 0 --max 3 --self immediate",
            {51175, 199167, 45}),
      holds("gcs-4-l0k4", "gcs --system majority:n=4 --min 0 --max 4 --self immediate",
            {68623, 260054, 46}),
      holds("gcs-4-l1k2", "gcs --system majority:n=4 --min 1 --max 2 --self immediate",
            {17136, 64414, 44}),
      holds("gcs-4-l1k2-r2",
            "gcs --system majority:n=4 --requests 2 --min 1 --max 2 --self immediate",
            {524897, 2192974, 88}, soak),
      holds("gcs-4-l1k3", "gcs --system majority:n=4 --min 1 --max 3 --self immediate",
            {40011, 152764, 45}),
      holds("gcs-4-l1k4", "gcs --system majority:n=4 --min 1 --max 4 --self immediate",
            {61115, 228932, 42}),
      holds("gcs-4-l2k3", "gcs --system majority:n=4 --min 2 --max 3 --self immediate",
            {19331, 69952, 41}),
      holds("gcs-4-l2k3-r2",
            "gcs --system majority:n=4 --requests 2 --min 2 --max 3 --self immediate",
            {618799, 2523125, 89}, soak),
      holds("gcs-4-l2k4", "gcs --system majority:n=4 --min 2 --max 4 --self immediate",
            {41651, 149987, 35}),
      holds("gcs-4-l3k4", "gcs --system majority:n=4 --min 3 --max 4 --self immediate",
            {19440, 66941, 28}),
      holds("gcs-4-l3k4-r2",
            "gcs --system majority:n=4 --requests 2 --min 3 --max 4 --self immediate",
            {203002, 776893, 90}, soak),
      holds("gcs-fused-3of4-l0k1",
            "'gcs[mutin-fused;complement[mutin-fused]]' --system k-majority:n=4,k=1 --min 0 --max "
            "1 --self immediate",
            {175654, 805208, 31}, soak),
      holds("gcs-fused-3of4-l0k2",
            "'gcs[mutin-fused;complement[mutin-fused]]' --system k-majority:n=4,k=1 --min 0 --max "
            "2 --self immediate",
            {811671, 4284254, 38}, soak),
      holds("gcs-fused-3of4-l0k3",
            "'gcs[mutin-fused;complement[mutin-fused]]' --system k-majority:n=4,k=1 --min 0 --max "
            "3 --self immediate",
            {969424, 5049085, 38}, soak),
      holds("gcs-fused-3of4-l0k4",
            "'gcs[mutin-fused;complement[mutin-fused]]' --system k-majority:n=4,k=1 --min 0 --max "
            "4 --self immediate",
            {285992, 1282210, 39}, soak),
      holds("gcs-fused-3of4-l1k2",
            "'gcs[mutin-fused;complement[mutin-fused]]' --system k-majority:n=4,k=1 --min 1 --max "
            "2 --self immediate",
            {424153, 2097348, 37}, soak),
      holds("gcs-fused-3of4-l1k3",
            "'gcs[mutin-fused;complement[mutin-fused]]' --system k-majority:n=4,k=1 --min 1 --max "
            "3 --self immediate",
            {798465, 4102003, 37}, soak),
      holds("gcs-fused-3of4-l1k4",
            "'gcs[mutin-fused;complement[mutin-fused]]' --system k-majority:n=4,k=1 --min 1 --max "
            "4 --self immediate",
            {276064, 1239334, 35}, soak),
      holds("gcs-fused-3of4-l2k3",
            "'gcs[mutin-fused;complement[mutin-fused]]' --system k-majority:n=4,k=1 --min 2 --max "
            "3 --self immediate",
            {351529, 1684914, 35}, soak),
      holds("gcs-fused-3of4-l2k4",
            "'gcs[mutin-fused;complement[mutin-fused]]' --system k-majority:n=4,k=1 --min 2 --max "
            "4 --self immediate",
            {229768, 1025142, 30}, soak),
      holds("gcs-fused-3of4-l3k4",
            "'gcs[mutin-fused;complement[mutin-fused]]' --system k-majority:n=4,k=1 --min 3 --max "
            "4 --self immediate",
            {133936, 574912, 24}),
      holds("gcs-fused-3-l0k1-queued",
            "'gcs[mutin-fused;complement[mutin-fused]]' --system majority:n=3 --min 0 --max 1",
            {4238, 15411, 23}),
      holds("gcs-fused-3-l0k1-r2",
            "'gcs[mutin-fused;complement[mutin-fused]]' --system majority:n=3 --requests 2 --min 0 "
            "--max 1 --self immediate",
            {1721, 4374, 30}),
      holds("gcs-fused-3-l0k1-r3",
            "'gcs[mutin-fused;complement[mutin-fused]]' --system majority:n=3 --requests 3 --min 0 "
            "--max 1 --self immediate",
            {9912, 25707, 43}),
      holds("gcs-fused-3-l0k2-queued",
            "'gcs[mutin-fused;complement[mutin-fused]]' --system majority:n=3 --min 0 --max 2",
            {9430, 35952, 27}),
      holds("gcs-fused-3-l0k2-r2",
            "'gcs[mutin-fused;complement[mutin-fused]]' --system majority:n=3 --requests 2 --min 0 "
            "--max 2 --self immediate",
            {11515, 36765, 30}),
      holds("gcs-fused-3-l0k2-r3",
            "'gcs[mutin-fused;complement[mutin-fused]]' --system majority:n=3 --requests 3 --min 0 "
            "--max 2 --self immediate",
            {109320, 368596, 45}),
      holds("gcs-fused-3-l0k3-queued",
            "'gcs[mutin-fused;complement[mutin-fused]]' --system majority:n=3 --min 0 --max 3",
            {28189, 113528, 27}),
      holds("gcs-fused-3-l0k3-r2",
            "'gcs[mutin-fused;complement[mutin-fused]]' --system majority:n=3 --requests 2 --min 0 "
            "--max 3 --self immediate",
            {28099, 93902, 30}),
      holds("gcs-fused-3-l0k3-r3",
            "'gcs[mutin-fused;complement[mutin-fused]]' --system majority:n=3 --requests 3 --min 0 "
            "--max 3 --self immediate",
            {355139, 1342049, 45}, soak),
      holds("gcs-fused-3-l1k2-r2-in0",
            "'gcs[mutin-fused;complement[mutin-fused]]' --system majority:n=3 --requests 2 --min 1 "
            "--max 2 --inside 0 --self immediate",
            {6169, 17473, 30}),
      holds("gcs-fused-3-l1k2-queued",
            "'gcs[mutin-fused;complement[mutin-fused]]' --system majority:n=3 --min 1 --max 2",
            {5842, 21857, 27}),
      holds("gcs-fused-3-l1k2-r2",
            "'gcs[mutin-fused;complement[mutin-fused]]' --system majority:n=3 --requests 2 --min 1 "
            "--max 2 --self immediate",
            {4785, 13491, 30}),
      holds("gcs-fused-3-l1k2-r3",
            "'gcs[mutin-fused;complement[mutin-fused]]' --system majority:n=3 --requests 3 --min 1 "
            "--max 2 --self immediate",
            {30298, 85917, 45}),
      holds("gcs-fused-3-l1k3-r2-in0",
            "'gcs[mutin-fused;complement[mutin-fused]]' --system majority:n=3 --requests 2 --min 1 "
            "--max 3 --inside 0 --self immediate",
            {15434, 49833, 30}),
      holds("gcs-fused-3-l1k3-queued",
            "'gcs[mutin-fused;complement[mutin-fused]]' --system majority:n=3 --min 1 --max 3",
            {22877, 89792, 23}),
      holds("gcs-fused-3-l1k3-r2",
            "'gcs[mutin-fused;complement[mutin-fused]]' --system majority:n=3 --requests 2 --min 1 "
            "--max 3 --self immediate",
            {13947, 41830, 30}),
      holds("gcs-fused-3-l1k3-r3",
            "'gcs[mutin-fused;complement[mutin-fused]]' --system majority:n=3 --requests 3 --min 1 "
            "--max 3 --self immediate",
            {190393, 664487, 43}, soak),
      holds("gcs-fused-3-l2k3-r2-in01",
            "'gcs[mutin-fused;complement[mutin-fused]]' --system majority:n=3 --requests 2 --min 2 "
            "--max 3 --inside 0,1 --self immediate",
            {2150, 5439, 30}),
      holds("gcs-fused-3-l2k3-queued",
            "'gcs[mutin-fused;complement[mutin-fused]]' --system majority:n=3 --min 2 --max 3",
            {11845, 43659, 19}),
      holds("gcs-fused-3-l2k3-r2",
            "'gcs[mutin-fused;complement[mutin-fused]]' --system majority:n=3 --requests 2 --min 2 "
            "--max 3 --self immediate",
            {2220, 5175, 30}),
      holds("gcs-fused-3-l2k3-r3",
            "'gcs[mutin-fused;complement[mutin-fused]]' --system majority:n=3 --requests 3 --min 2 "
            "--max 3 --self immediate",
            {21505, 57650, 41}),
      holds("gcs-fused-4-l0k1",
            "'gcs[mutin-fused;complement[mutin-fused]]' --system majority:n=4 --min 0 --max 1 "
            "--self immediate",
            {5701, 18635, 22}),
      holds("gcs-fused-4-l0k1-r2",
            "'gcs[mutin-fused;complement[mutin-fused]]' --system majority:n=4 --requests 2 --min 0 "
            "--max 1 --self immediate",
            {76169, 283051, 48}),
      holds("gcs-fused-4-l0k2",
            "'gcs[mutin-fused;complement[mutin-fused]]' --system majority:n=4 --min 0 --max 2 "
            "--self immediate",
            {9331, 34848, 24}),
      holds("gcs-fused-4-l0k2-r2",
            "'gcs[mutin-fused;complement[mutin-fused]]' --system majority:n=4 --requests 2 --min 0 "
            "--max 2 --self immediate",
            {1114178, 5252927, 48}, soak),
      holds("gcs-fused-4-l0k3",
            "'gcs[mutin-fused;complement[mutin-fused]]' --system majority:n=4 --min 0 --max 3 "
            "--self immediate",
            {17824, 65396, 24}),
      holds("gcs-fused-4-l0k4",
            "'gcs[mutin-fused;complement[mutin-fused]]' --system majority:n=4 --min 0 --max 4 "
            "--self immediate",
            {20352, 70829, 24}),
      holds("gcs-fused-4-l1k2",
            "'gcs[mutin-fused;complement[mutin-fused]]' --system majority:n=4 --min 1 --max 2 "
            "--self immediate",
            {6465, 23003, 24}),
      holds("gcs-fused-4-l1k2-r2",
            "'gcs[mutin-fused;complement[mutin-fused]]' --system majority:n=4 --requests 2 --min 1 "
            "--max 2 --self immediate",
            {326560, 1369455, 49}, soak),
      holds("gcs-fused-4-l1k3",
            "'gcs[mutin-fused;complement[mutin-fused]]' --system majority:n=4 --min 1 --max 3 "
            "--self immediate",
            {14091, 50672, 24}),
      holds("gcs-fused-4-l1k4",
            "'gcs[mutin-fused;complement[mutin-fused]]' --system majority:n=4 --min 1 --max 4 "
            "--self immediate",
            {18664, 64497, 22}),
      holds("gcs-fused-4-l2k3",
            "'gcs[mutin-fused;complement[mutin-fused]]' --system majority:n=4 --min 2 --max 3 "
            "--self immediate",
            {7678, 25968, 22}),
      holds("gcs-fused-4-l2k3-r2",
            "'gcs[mutin-fused;complement[mutin-fused]]' --system majority:n=4 --requests 2 --min 2 "
            "--max 3 --self immediate",
            {348558, 1386424, 49}, soak),
      holds("gcs-fused-4-l2k4",
            "'gcs[mutin-fused;complement[mutin-fused]]' --system majority:n=4 --min 2 --max 4 "
            "--self immediate",
            {13862, 46778, 20}),
      holds("gcs-fused-4-l3k4",
            "'gcs[mutin-fused;complement[mutin-fused]]' --system majority:n=4 --min 3 --max 4 "
            "--self immediate",
            {7526, 24135, 18}),
      holds("gcs-fused-4-l3k4-r2",
            "'gcs[mutin-fused;complement[mutin-fused]]' --system majority:n=4 --requests 2 --min 3 "
            "--max 4 --self immediate",
            {89153, 305905, 48}),
  };
}

}  // namespace coterie::check
