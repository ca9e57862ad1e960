#!/usr/bin/env bash
# Shows that docs_test.sh can fail, and that it runs what it should and nothing else, with a stand-in
# for the command that records its arguments and exits with the code that --code asks for.
set -euo pipefail

docs_test=$(cd "$(dirname "$0")" && pwd)/docs_test.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch/tree/docs"

cat >"$scratch/coterie" <<END
#!/usr/bin/env bash
printf '%s;' "\$@" >>"$scratch/calls"
echo >>"$scratch/calls"
[[ \${1-} != --code ]] || exit "\$2"
END
chmod +x "$scratch/coterie"

# expect VERDICT CALLS DOCUMENT: a tree with this README passes or fails, after these calls.
expect() {
  local verdict=pass output calls
  : >"$scratch/calls"
  printf '%s\n' "$3" >"$scratch/tree/README.md"
  output=$("$docs_test" "$scratch/coterie" "$scratch/tree") || verdict=fail
  calls=$(<"$scratch/calls")
  if [[ $verdict != "$1" || $calls != "$2" ]]; then
    printf 'FAIL: expected %s after\n%s\nbut: %s after\n%s\nfor\n%s\n%s\n' "$1" "$2" "$verdict" "$calls" "$3" "$output"
    exit 1
  fi
}

expect pass $'a;b c;\nd;' $'```sh\ncoterie a "b c"  # a comment\nmake other\nbuild/coterie d\n```'
expect pass 'a;b;c;' $'Text\n\n  ```sh\n  coterie a \\\n    b \\\n    c\n  ```'
expect pass '--code;2;' $'```sh\ncoterie --code 2  # exits 2\n```'
expect fail '--code;2;' $'```sh\ncoterie --code 2\n```'
expect fail 'a;' $'```sh\ncoterie a # exits 2\n```'
expect fail $'--code;1;\na;' $'```sh\ncoterie --code 1\n```\n```sh\ncoterie a\n```'
expect fail '' $'```sh norun\ncoterie a\n```\n```\ncoterie b\n```\n```bash\ncoterie c\n```\ncoterie d'
expect fail '' $'```sh\nmake \\\ncoterie a\n```'
expect fail '' ''
