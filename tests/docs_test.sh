#!/usr/bin/env bash
# Runs the commands that the documentation shows: docs_test.sh BINARY SOURCE_DIR
#
# In README.md and docs/*.md, a fenced block whose info string is exactly `sh` is run: each of its lines
# that begins with `coterie ` or `build/coterie ` must exit with 0, or with the code that a trailing
# comment `# exits 2` gives. A trailing backslash joins lines. `sh norun` marks a block that is only to
# be read. The commands of one document run in order in an empty folder that has a copy of docs/.
set -uo pipefail

if [[ $# -ne 2 || ! -x $1 || ! -d $2 ]]; then
  echo "usage: docs_test.sh BINARY SOURCE_DIR" >&2
  exit 2
fi
binary=$(realpath "$1")
source_dir=$(realpath "$2")
scratch=$(mktemp -d)
# A local cluster that a document starts is its own, and ends with it.
clean_up() {
  local dev
  for dev in "$scratch"/*/dev; do
    [[ ! -d $dev ]] || COTERIE_DEV=$dev "$binary" dev stop >/dev/null 2>&1
  done
  rm -rf "$scratch"
}
trap clean_up EXIT

commands=0
failures=0

# extract FILE: prints LINE<tab>COMMAND for each command of the runnable blocks.
extract() {
  awk '
    # A fence is three or more backticks or tildes; the block ends at a bare one that is as long.
    match($0, /^[ \t>]*(```+|~~~+)/) {
      mark = substr($0, 1, RLENGTH); gsub(/[ \t>]/, "", mark)
      info = substr($0, RLENGTH + 1); gsub(/^[ \t]+|[ \t\r]+$/, "", info)
      if (fence == "") { fence = mark; run = (info == "sh"); joined = ""; next }
      if (info == "" && index(mark, fence) == 1) { fence = ""; next }
    }
    fence != "" && run {
      line = $0; sub(/\r$/, "", line)
      if (joined == "") { start = NR; sub(/^[ \t]+/, "", line) }
      if (line ~ /\\$/) { joined = joined substr(line, 1, length(line) - 1); if (joined == "") joined = " "; next }
      line = joined line; joined = ""
      if (line ~ /^(build\/)?coterie([ \t]|$)/) print start "\t" line
    }
  ' "$1"
}

run_document() {
  local document=$1 folder=$scratch/$2 number command expected output code
  mkdir -p "$folder/build"
  ln -s "$binary" "$folder/build/coterie"
  [[ ! -d $source_dir/docs ]] || cp -R "$source_dir/docs" "$folder/docs"
  while IFS=$'\t' read -r number command; do
    commands=$((commands + 1))
    expected=0
    [[ $command =~ \#\ exits\ ([0-9]+)[[:space:]]*$ ]] && expected=${BASH_REMATCH[1]}
    output=$(cd "$folder" && COTERIE_DEV="$folder/dev" PATH="$folder/build:$PATH" timeout 300 bash -o pipefail -c "$command" 2>&1 </dev/null)
    code=$?
    if [[ $code -ne $expected ]]; then
      failures=$((failures + 1))
      printf '%s:%s: exited with %s, not %s\n  %s\n%s\n' \
        "${document#"$source_dir"/}" "$number" "$code" "$expected" "$command" "$output"
    fi
  done < <(extract "$document")
}

documents=0
for document in "$source_dir/README.md" "$source_dir"/docs/*.md; do
  [[ -f $document ]] || continue
  documents=$((documents + 1))
  run_document "$document" "$documents"
done

if [[ $commands -eq 0 ]]; then
  echo "README.md and docs/*.md show no command in a block marked sh: nothing was tested"
  exit 1
fi
echo "$commands commands, $failures failed"
[[ $failures -eq 0 ]]
