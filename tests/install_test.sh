#!/usr/bin/env bash
# Installs into an empty folder, and builds and runs the examples with what is there and nothing else:
# install_test.sh BUILD_DIR
set -euo pipefail

build=$(realpath "$1")
scratch=$(mktemp -d)
prefix=$scratch/prefix
export COTERIE_DEV=$scratch/dev
clean_up() {
  [[ ! -d $COTERIE_DEV ]] || "$prefix/bin/coterie" dev stop >/dev/null 2>&1 || true
  rm -rf "$scratch"
}
trap clean_up EXIT
fail() {
  echo "FAIL: $*"
  exit 1
}

cmake --install "$build" --prefix "$prefix" >"$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }
lib=$(dirname "$(find "$prefix" -name libcoterie.a)")
doc=$prefix/share/doc/coterie

for file in bin/coterie include/coterie/client.h share/man/man1/coterie.1 \
  share/bash-completion/completions/coterie share/zsh/site-functions/_coterie \
  share/fish/vendor_completions.d/coterie.fish lib/systemd/system/coterie.service \
  share/doc/coterie/member.toml share/doc/coterie/README.md share/doc/coterie/docs/operations.md; do
  [[ -s $prefix/$file ]] || fail "$file is not installed"
done
grep -q '^.TH COTERIE 1' "$prefix/share/man/man1/coterie.1" || fail 'the manual page is not one'
# The example is right but for the certificates, which are not there.
sed '/^\[tls\]/,/^$/d' "$doc/member.toml" >"$COTERIE_DEV.toml"
"$prefix/bin/coterie" serve --check --insecure --config "$COTERIE_DEV.toml" | grep -q 'member a of 3' ||
  fail 'member.toml is not accepted'
grep -q 'a.pem cannot be used' <<<"$("$prefix/bin/coterie" serve --check --config "$doc/member.toml" 2>&1)" ||
  fail 'certificates that are not there are accepted'

"$prefix/bin/coterie" dev --members 3 --detach >/dev/null
mapfile -t addresses < <(cut -d' ' -f2 "$COTERIE_DEV/members")

cmake -S "$doc/examples" -B "$scratch/examples" -DCMAKE_PREFIX_PATH="$prefix" >"$scratch/log" 2>&1 &&
  cmake --build "$scratch/examples" --parallel 2 >>"$scratch/log" 2>&1 ||
  { cat "$scratch/log"; fail 'find_package(coterie) does not do'; }
for example in blocking asynchronous; do
  "$scratch/examples/$example" "${addresses[@]}" >"$scratch/log" 2>&1 ||
    { cat "$scratch/log"; fail "$example of find_package does not run"; }
done

export PKG_CONFIG_PATH=$lib/pkgconfig
read -ra flags < <(pkg-config --cflags --libs coterie)
"${CXX:-g++}" -std=c++20 "$doc/examples/blocking.cc" "${flags[@]}" -o "$scratch/blocking" ||
  fail 'pkg-config coterie does not do'
"$scratch/blocking" "${addresses[@]}" >/dev/null || fail 'blocking of pkg-config does not run'
[[ $(pkg-config --modversion coterie) == "$("$prefix/bin/coterie" --version)" ]] ||
  fail 'pkg-config and the command disagree on the version'
