#!/usr/bin/env bash
# Checks what compilers and formatters do not: style_test.sh ROOT
# Prints one line per finding, and fails if there is one.
set -uo pipefail
export LC_ALL=C

if [[ $# -ne 1 || ! -d $1 ]]; then
  echo "usage: style_test.sh ROOT, the top folder of the source tree" >&2
  exit 2
fi
cd "$1" || exit 2

findings=0
# report RULE: reads findings, one per line, and prints each with the rule that it breaks.
report() {
  local line
  while IFS= read -r line; do
    printf '%s\n    %s\n' "$line" "$1"
    findings=$((findings + 1))
  done
}

# sources FOLDER...: the C++ files of the folders that exist.
sources() {
  local folder
  for folder in "$@"; do
    [[ -d $folder ]] && find "$folder" -type f \( -name '*.h' -o -name '*.cc' \)
  done | sort
}

# search PATTERN FOLDER...: file:line:text of every match in the C++ files.
search() {
  local pattern=$1
  shift
  sources "$@" | xargs -r grep -HnE -- "$pattern"
}

# The files that make up the project: those that git tracks, or all where there is no git.
tracked() {
  if [[ -e .git ]] && git ls-files -z 2>/dev/null; then return; fi
  find . \( -name .git -o -name build -o -name out \) -prune -o -type f -printf '%P\0'
}

everything=(include src tests bench fuzz)
pure=(src/base src/quorum src/spec src/protocol src/api src/session src/member)

# Folders without input, output, clocks or chance.
doors='iostream|fstream|chrono|thread|random|cstdio|ctime|filesystem|stdio\.h|time\.h|spdlog/.*'
report 'these folders do no input or output and know no time, thread or chance: take it as an input' < <(
  search "^[[:space:]]*#[[:space:]]*include[[:space:]]*[<\"]($doors)[>\"]" "${pure[@]}"
)
report 'these folders neither print, nor read the environment, nor draw random numbers' < <(
  search '\bstd::(cout|cerr|clog)\b|\bv?(f|s|sn)?printf[[:space:]]*\(|\bfmt::print|\bgetenv[[:space:]]*\(|\brand[[:space:]]*\(' \
    "${pure[@]}"
)

# Dependencies point one way. Each folder may include itself, the public headers, and these:
declare -A may_include=(
  [base]=''
  [quorum]='base'
  [spec]='base'
  [protocol]='base quorum spec'
  [api]='base quorum'
  [session]='base api'
  [member]='base quorum spec protocol api'
  [check]='base quorum spec protocol api member'
  [sim]='base quorum spec protocol api session member'
  [net]='base quorum spec protocol api member'
  [client]='base quorum spec protocol api session member check sim net'
  [cli]='base quorum spec protocol api session member check sim net client'
)
check_includes() {
  local path folder included allowed
  for path in src/*; do
    folder=$(basename "$path")
    if [[ ! -v may_include[$folder] ]]; then
      [[ -n $(sources "$path") ]] &&
        echo "$(sources "$path" | head -n 1): tests/style_test.sh does not say what this folder may include"
      continue
    fi
    allowed=" coterie $folder ${may_include[$folder]} "
    while IFS= read -r line; do
      included=$(sed -E 's/^[^"]*"([^"/]*)\/.*/\1/' <<<"$line")
      [[ $allowed == *" $included "* ]] || echo "$line"
    done < <(search '^[[:space:]]*#[[:space:]]*include[[:space:]]*"[^"]*/' "$path")
  done
}
[[ -d src ]] && report 'base <- quorum <- {protocol, api} <- member <- {check, sim, net} <- {client, cli}; spec before protocol; api <- session <- {sim, client}; no driver includes another' \
  < <(check_includes)

report 'a file has at most 500 lines: split it by what it defines' < <(
  sources "${everything[@]}" | while IFS= read -r file; do
    lines=$(wc -l <"$file")
    [[ $lines -le 500 ]] || echo "$file: $lines lines"
  done
)

report 'a header starts with a comment that says what it is' < <(
  sources "${everything[@]}" | grep '\.h$' | while IFS= read -r file; do
    [[ $(head -c 2 "$file") == '//' || $(head -c 2 "$file") == '/*' ]] || echo "$file"
  done
)
report 'a header has #pragma once' < <(
  sources "${everything[@]}" | grep '\.h$' | xargs -r grep -LE '^#pragma once$'
)

# The brackets keep these two patterns from finding themselves.
report 'no notes to self: do it, or leave it out' < <(
  tracked | xargs -0 -r grep -IHnEs -- '\b([T]ODO|[F]IXME|[X]XX|[H]ACK)\b'
)
report 'no absolute path of one machine' < <(
  tracked | xargs -0 -r grep -IHnEs -- '(^|[^][:alnum:]_.)}>*~/-])/([w]ork|[h]ome|[r]oot)($|[^[:alnum:]_-])'
)

if [[ $findings -gt 0 ]]; then
  echo "$findings findings"
  exit 1
fi
