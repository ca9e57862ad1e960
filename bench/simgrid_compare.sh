#!/usr/bin/env bash
# Compares the simulator with SimGrid (Debian's package): Surrogate on a 5 x 5 grid here, against the bare
# traffic of such a run there (bench/simgrid/traffic.cc), both with exponential delays.
#
#   bench/simgrid_compare.sh [SIM_BENCH [FOLDER]]
#
# SIM_BENCH is the benchmark program (build/bench/bench/sim_bench), FOLDER where the packages are
# unpacked (build/bench/simgrid): libsimgrid-dev cannot be installed next to Boost 1.81, and need not be.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
bench=${1:-$here/../build/bench/bench/sim_bench}
folder=${2:-$here/../build/bench/simgrid}
messages=300000
flying=35  # messages on their way in the mean of that run: their rate times the mean delay

fail() { echo "simgrid_compare: $1" >&2; exit 1; }
[[ -x $bench ]] || fail "there is no program $bench; \`make bench\` makes it"
command -v apt-get >/dev/null || fail "SimGrid comes from Debian's packages, and there is no apt-get"

# What libsimgrid needs and this machine has not, and the headers.
fetch() {
  local library packages
  library=$(apt-cache depends libsimgrid-dev 2>/dev/null | sed -nE 's/^ *Depends: (libsimgrid3[^ ]*)$/\1/p')
  [[ -n $library ]] || fail "apt knows no package libsimgrid-dev; try \`apt-get update\`"
  packages=$(apt-get install --simulate --no-install-recommends "$library" 2>/dev/null | awk '/^Inst/ { print $2 }')
  # shellcheck disable=SC2086  # one word per package
  apt-get download libsimgrid-dev $packages >/dev/null 2>apt.err ||
    { cat apt.err >&2; fail "the packages of SimGrid could not be downloaded"; }
  local package
  for package in *.deb; do dpkg -x "$package" root; done
  rm -f ./*.deb apt.err
}

mkdir -p "$folder"
bench=$(realpath "$bench")
cd "$folder"
[[ -d root ]] || fetch
libraries=$(dirname "$(find "$PWD/root" -name 'libsimgrid.so' | head -n 1)")
[[ -d $libraries ]] || fail "the package libsimgrid-dev has no libsimgrid.so"
export LD_LIBRARY_PATH=$libraries
g++ -std=c++17 -O2 -Iroot/usr/include "$here/simgrid/traffic.cc" -L"$libraries" -lsimgrid \
  -Wl,--allow-shlib-undefined -o traffic

theirs=$(./traffic $messages $flying --cfg=network/model:CM02 --log=root.thres:warning)
ours=$("$bench" --benchmark_filter='sim/surrogate' --benchmark_format=csv 2>/dev/null |
  awk -F, '/^name/ { for (i = 1; i <= NF; ++i) if ($i == "items_per_second") column = i }
           /sim\/surrogate/ { print $column }')
[[ $theirs =~ ^[0-9]+$ ]] || fail "SimGrid's program answered \"$theirs\""
[[ -n $ours ]] || fail "$bench has no benchmark sim/surrogate"

awk -v ours="$ours" -v theirs="$theirs" 'BEGIN {
  printf "%-42s %12s\n", "messages a second of one core", ""
  printf "%-42s %12d\n", "SimGrid, bare traffic", theirs
  printf "%-42s %12d\n", "coterie, Surrogate on a 5 x 5 grid", ours
  printf "%-42s %12.1f\n", "ratio", ours / theirs
}'
