#!/usr/bin/env bash
# Shows that style_test.sh can fail: a clean tree passes, and each violation, planted in a file of its own,
# is found there, once.
set -euo pipefail

style_test=$(cd "$(dirname "$0")" && pwd)/style_test.sh
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failures=0

header=$'// What it is.\n#pragma once\n'

fresh_tree() {
  rm -rf "${tree:?}"/*
  mkdir -p "$tree"/src/{base,quorum,spec,protocol,member,check,sim,net,client,cli} "$tree"/{include/coterie,tests,docs}
  printf '%s' "$header" >"$tree/include/coterie/quorum.h"
  printf '%s#include "base/ids.h"\n#include "coterie/quorum.h"\n' "$header" >"$tree/src/quorum/voting.h"
  printf '#include "quorum/voting.h"\n#include <iostream>\n#include <chrono>\nint operand(int x);\n' >"$tree/src/cli/main.cc"
  printf '#include "client/session.h"\n#include "net/link.h"\n#include "spec/rules.h"\n' >"$tree/src/cli/run.cc"
  printf 'See src/work, the tree/root and mktemp /tmp/XXXXXX.\n' >"$tree/docs/notes.md"
}

# passes NAME: the tree as it stands has no finding.
passes() {
  local output
  if ! output=$("$style_test" "$tree"); then
    printf 'FAIL: %s should pass, but:\n%s\n' "$1" "$output"
    failures=$((failures + 1))
  fi
}

# plant FILE TEXT: a file with one violation; `bad` in its name gets a number, so that each has its own.
planted=()
plant() {
  local file=${1/bad/bad${#planted[@]}}
  mkdir -p "$(dirname "$tree/$file")"
  printf '%b' "$2" >"$tree/$file"
  planted+=("$file")
}

# One run looks at all of them: a run takes a while.
finds_all_planted() {
  local output file count
  if output=$("$style_test" "$tree"); then echo 'FAIL: no planted violation is found'; exit 1; fi
  for file in "${planted[@]}"; do
    count=$(grep -cE "^${file//./\\.}(:|$)" <<<"$output" || true)
    if [[ $count -ne 1 ]]; then
      printf 'FAIL: %s findings, not 1, in %s:\n%s\n' "$count" "$file" "$(head -c 80 "$tree/$file")"
      failures=$((failures + 1))
    fi
  done
  if [[ $output != *$'\n'"${#planted[@]} findings" ]]; then
    printf 'FAIL: expected %s findings, but:\n%s\n' "${#planted[@]}" "$output"
    failures=$((failures + 1))
  fi
}

fresh_tree
passes 'a clean tree'

for folder in base quorum spec protocol member; do
  plant "src/$folder/bad.cc" '#include <iostream>\n'
  plant "src/$folder/bad.cc" 'std::cout << 1;\n'
done
for name in fstream chrono thread random cstdio ctime filesystem spdlog/spdlog.h; do
  plant src/quorum/bad.h "$header#include <$name>\n"
done
for text in 'printf("x");' 'std::snprintf(b, 1, "x");' 'fmt::print("x");' 'std::getenv("X");' 'int x = rand();'; do
  plant src/quorum/bad.cc "$text\n"
done

plant src/base/bad.cc '#include "quorum/voting.h"\n'
plant src/quorum/bad.cc '#include "protocol/maekawa.h"\n'
plant src/protocol/bad.cc '#include "member/member.h"\n'
plant src/quorum/bad_rule.cc '#include "spec/rules.h"\n'
plant src/spec/bad.cc '  #  include "protocol/maekawa.h"\n'
plant src/member/bad.cc '#include "sim/world.h"\n'
for driver in check sim net; do
  for other in check sim net client cli; do
    [[ $driver == "$other" ]] || plant "src/$driver/bad.cc" "#include \"$other/thing.h\"\n"
  done
done
plant src/client/bad.cc '#include "cli/main.h"\n'
plant src/quorum/bad.cc '#include "../sim/world.h"\n'
plant src/undeclared/bad.cc 'int x;\n'

long_file=$(printf '//\\n%.0s' {1..501})
plant src/sim/long.cc "$long_file"
plant tests/long_test.cc "$long_file"
plant src/base/bare.h '#pragma once\n'
plant include/coterie/twice.h '// What it is.\n'
for word in TO''DO FIX''ME X''XX HA''CK; do
  plant src/sim/bad.cc "// $word: later\n"
  plant docs/bad.md "$word\n"
done
for folder in wo''rk ho''me ro''ot; do
  plant docs/bad.md "See /$folder/thing.\n"
  plant tests/bad.sh "cd \"/$folder\"\n"
done

finds_all_planted

# In a git checkout only tracked files are the project's.
fresh_tree
if command -v git >/dev/null; then
  git -C "$tree" init -q
  git -C "$tree" add .
  printf 'X''XX\n' >"$tree/scratch.txt"
  passes 'a tree with an untracked file'
  git -C "$tree" add scratch.txt
  if "$style_test" "$tree" >/dev/null; then
    echo 'FAIL: not found in a tracked file'
    failures=$((failures + 1))
  fi
fi

[[ $failures -eq 0 ]] || exit 1
