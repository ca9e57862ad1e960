#!/usr/bin/env bash
# Whether the command was built with what hardens it, and how much of the machine its unit of systemd leaves open:
# hardening_test.sh COMMAND UNIT [CONFIGURATION]: one for Debug is not optimised, and _FORTIFY_SOURCE needs that. Prints a line for each thing that is missing, and fails if there is one.
set -uo pipefail
export LC_ALL=C
command=$1
unit=$2
findings=0
expect() {
  local what=$1
  shift
  "$@" && return
  echo "$what"
  findings=$((findings + 1))
}
header=$(readelf --wide --file-header "$command")
segments=$(readelf --wide --segments "$command")
dynamic=$(readelf --wide --dynamic "$command")
symbols=$(readelf --wide --dyn-syms "$command")
notes=$(readelf --wide --notes "$command")

expect 'it is no position-independent executable (PIE)' grep -q 'Type: *DYN' <<<"$header"
expect 'it has no segment that becomes read-only (RELRO)' grep -q GNU_RELRO <<<"$segments"
expect 'its functions are bound late, so that their table stays writable (no full RELRO)' \
  grep -qE 'BIND_NOW|FLAGS_1.*NOW' <<<"$dynamic"
expect 'its stack can be run' grep -qE 'GNU_STACK.* RW ' <<<"$segments"
expect 'it has no stack protector' grep -q __stack_chk_fail <<<"$symbols"
[[ ${3:-} == Debug ]] || expect 'it has none of the checks of _FORTIFY_SOURCE' grep -qE '__(mem(cpy|move|set)|read|recv|snprintf|vsnprintf|fprintf|vfprintf)_chk' <<<"$symbols"
expect 'it has no checks of the standard library (_GLIBCXX_ASSERTIONS)' \
  grep -q _ZSt21__glibcxx_assert_fail <<<"$symbols"
if [[ $(uname -m) == x86_64 ]]; then
  # The mark of the whole program needs a C runtime that was built so too; so this looks at our own code.
  expect 'it has no protection of its flow of control (endbr64)' \
    grep -q endbr64 < <(objdump --disassemble=main "$command")
fi

if command -v systemd-analyze >/dev/null; then
  most=2.0
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  cp "$unit" "$work/coterie.service"
  level=$(systemd-analyze security --offline=true "$work/coterie.service" 2>/dev/null |
    sed -nE 's/.*exposure level for coterie.service: ([0-9.]+) .*/\1/p')
  echo "exposure level of the unit: ${level:-unknown}"
  expect "its unit must have an exposure level below $most" \
    awk -v level="${level:-10}" -v most="$most" 'BEGIN { exit !(level < most) }'
else
  echo 'systemd-analyze is not there: the unit was not looked at'
fi

if [[ $findings -gt 0 ]]; then
  echo "$findings findings"
  exit 1
fi
