#!/usr/bin/env bash
# Compares `coterie check` with SPIN on Maekawa's algorithm: the same states (bench/maekawa.pml has the
# same handlers, one transition per event), found by both in one run on this machine.
#
#   bench/spin_compare.sh [COTERIE]     the command to compare, build/coterie if not given
#   RUNS=5 bench/spin_compare.sh        the best of so many runs of each (3)
#   LARGE=1 bench/spin_compare.sh       also 29 million states: some 10 minutes, and 4 GiB for SPIN
#
# What SPIN checks is mutual exclusion; it is compared with our check of that and of deadlock. Its rows:
# `chan` has SPIN's own channels, the others have channels packed into numbers, which is faster; NOCOMP
# does not compress states, COLLAPSE does, HC4 keeps only hashes, and so loses states. Bytes per state are
# of all that each keeps; SPIN's table of pointers, 8 bytes times a power of two, is left out.
# The last column is how many times as many states per second `coterie, 1 thread` finds.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
coterie=${1:-$here/../build/coterie}
runs=${RUNS:-3}

[[ -x $coterie ]] || { echo "spin_compare: there is no command $coterie; \`make build\` first" >&2; exit 1; }
coterie=$(realpath "$coterie")
command -v spin >/dev/null || { echo "spin_compare: SPIN is not installed (Debian: spin)" >&2; exit 1; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# best COMMAND...: runs it, leaves its output in $work/out and its seconds, elapsed, user and system, of
# the fastest run in `seconds`.
best() {
  local run
  TIMEFORMAT='%3R %3U %3S'
  for ((run = 0; run < runs; ++run)); do
    { time "$@" >out 2>err; } 2>>runs || { cat out err >&2; exit 1; }
  done
  seconds=$(sort -n runs | head -n 1)
  rm runs
}

# add NAME STATES SECONDS BYTES: a row of the table.
add() { printf '%s\t%s\t%s\t%s\n' "$1" "$2" "${3// /$'\t'}" "$4" >>rows; }

# spin_row NAME LOG2_OF_TABLE MODEL_FLAGS BUILD_FLAGS
spin_row() {
  local name=$1 table=$2 states memory
  # shellcheck disable=SC2086  # flags are words
  spin -a $3 "$here/maekawa.pml" >out || { cat out >&2; exit 1; }
  # shellcheck disable=SC2086
  gcc -O3 -march=native -w -DSAFETY -DNOREDUCE -DMEMLIM=16000 $4 -o pan pan.c
  best ./pan -m10000 "-w$table"
  grep -q 'errors: 0' out || { cat out >&2; exit 1; }
  states=$(sed -nE 's/^ *([0-9.e+]+) states, stored.*/\1/p' out)
  memory=$(sed -nE 's/^ *([0-9.]+)\t(total actual memory usage|memory usage \(Mbyte\)).*/\1/p' out)
  add "$name" "$states" "$seconds" \
    "$(awk "BEGIN { print ($memory - 2 ^ ($table - 17)) * 2 ^ 20 / $states }")"
}

# coterie_row NAME OPTIONS
coterie_row() {
  # shellcheck disable=SC2086
  best "$coterie" check maekawa $2 --json
  grep -q '"verdict": "holds"' out || { cat out >&2; exit 1; }
  add "$1" "$(sed -nE 's/.*"states": ([0-9]+).*/\1/p' out)" "$seconds" \
    "$(sed -nE 's/.*"bytes_per_state": ([0-9.]+).*/\1/p' out)"
}

# compare TITLE LOG2_OF_TABLE MODEL_FLAGS OUR_OPTIONS
compare() {
  : >rows
  coterie_row 'coterie, 1 thread' "$4 --property safety,served --threads 1"
  coterie_row 'coterie, 2 threads' "$4 --property safety,served --threads 2"
  coterie_row 'coterie, all properties' "$4 --threads 1"
  spin_row 'SPIN, chan' "$2" "$3" ''
  spin_row 'SPIN, chan, NOCOMP' "$2" "$3" '-DNOCOMP'
  spin_row 'SPIN' "$2" "$3 -DPACKED" ''
  spin_row 'SPIN, NOCOMP' "$2" "$3 -DPACKED" '-DNOCOMP -DNOBOUNDCHECK'
  spin_row 'SPIN, COLLAPSE' "$2" "$3 -DPACKED" '-DCOLLAPSE'
  spin_row 'SPIN, HC4' "$2" "$3 -DPACKED" '-DHC4 -DNOBOUNDCHECK'
  printf '\n%s\n' "$1"
  awk -F '\t' '
    BEGIN {
      printf "%-26s%10s%9s%9s%11s%13s%7s\n",
        "", "states", "seconds", "of CPU", "states/s", "bytes/state", "ratio"
    }
    NR == 1 { ours = $2 / $3 }
    {
      rate = $2 / $3
      printf "%-26s%10d%9.2f%9.2f%11d%13.1f%7.2f\n", $1, $2, $3, $4 + $5, rate, $6, ours / rate
    }' rows
}

echo "$(spin -V); $(nproc) processors; the best of $runs runs each"
compare 'Maekawa, majority:n=3, 2 requests each' 21 '-DN=3 -DQ=2 -DR=2' \
  '--system majority:n=3 --requests 2'
compare 'Maekawa, k-majority:n=4,k=1 (3 of 4), 1 request each of 3' 19 '-DN=4 -DQ=3 -DM=3 -DR=1' \
  '--system k-majority:n=4,k=1 --requesters 3'
if [[ -n ${LARGE-} ]]; then
  compare 'Maekawa, majority:n=3, 3 requests each' 25 '-DN=3 -DQ=2 -DR=3' \
    '--system majority:n=3 --requests 3 --memory 8000'
fi
