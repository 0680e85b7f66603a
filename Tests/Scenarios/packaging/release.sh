#!/usr/bin/env bash
# tools/release puts what a release publishes into one folder, of a checkout in which nothing is open.
source "$(dirname "$0")/../lib/scenario.sh"
: "${MEDIATOKEN_PACKAGES:?expected the folder of the packages in MEDIATOKEN_PACKAGES}"
needs git dpkg-deb jq gcc objdump pkg-config javac php
"$scenarios/clients/install-python-tools" || skip "the tools for Python cannot be installed"
export PYTHON=$repository/.build/clients/python-tools/bin/python
export MEDIATOKEN_PACKAGES GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0='*'
git -C "$repository" rev-parse --git-dir >/dev/null 2>&1 || skip "not a checkout"
# A checkout of this version whose changes are all released.
checkout=$work/checkout
quietly git clone --quiet "$repository" "$checkout"
version=$(sed -n 's/.*current = "\(.*\)"/\1/p' "$checkout/Sources/MediaToken/Facts/Version.swift")
commit() { git -C "$checkout" -c user.name=release -c user.email=release@example.invalid commit --quiet --all --allow-empty -m "$1"; }
sed -i "/^## Unreleased\$/,/^## $version /{/^## /!d}" "$checkout/CHANGELOG.md"
sed -i 's/^## Unreleased$/&\n/' "$checkout/CHANGELOG.md"
commit "all is released"
release() { "$checkout/tools/release" "$work/$1"; }
refused() { exits 1 release "$1" && says "release: $2" && [[ ! -e $work/$1 ]]; }

check "tools/release makes a release, and says how it is published" eval 'release made >"$work/said" && grep -qx "next: git tag -s v$version && .* v$version clients/go/v$version" "$work/said" &&
  [[ -f $(sed -n "s/^next: npm publish //p" "$work/said") ]]'
packages=$(cd "$MEDIATOKEN_PACKAGES" && ls ./*.deb | wc -l)
archive=mediatoken-$version-linux-x86_64.tar.gz
files="SHA256SUMS mediatoken-$version.tar.gz $archive"
for package in libmediatoken-dev libmediatoken0 mediatoken mediatokend; do
  files+=" ${package}_$version.spdx.json ${package}_${version}_amd64.deb"
done
maven=maven/invalid/mediatoken/mediatoken/$version/mediatoken-$version
files+=" node/mediatoken-$version.tgz php/mediatoken-mediatoken-$version.zip python/mediatoken-$version-py3-none-any.whl"
for file in .jar -sources.jar .pom; do for sum in "" .sha1 .sha256; do files+=" $maven$file$sum"; done; done
check "there are two archives, four packages, what each is made of, the kits, and checksums" \
  equals "$packages $(cd "$work/made" && find . -type f -printf '%P\n' | LC_ALL=C sort | xargs)" "4 $(tr ' ' '\n' <<<"$files" | LC_ALL=C sort | xargs)"
sums_hold() { (cd "$work/made" && quietly sha256sum --check --strict SHA256SUMS && [[ $(wc -l <SHA256SUMS) -eq 22 ]]); }
check "the checksums are those of all files" sums_hold
check "the source archive has the files of the checkout" \
  diff <(git -C "$checkout" ls-files | sed "s|^|mediatoken-$version/|" | LC_ALL=C sort) \
  <(tar -tzf "$work/made/mediatoken-$version.tar.gz" | grep -v '/$' | LC_ALL=C sort)
mkdir "$work/local"
tar -C "$work/local" -xzf "$work/made/$archive"
is_ours() { equals "$("$work/local/$1" --version)" "${1##*/} $version"; }
for program in bin/mediatoken sbin/mediatokend; do check "the archive's $program runs" is_ours "$program"; done
works() {
  PKG_CONFIG_PATH=$work/local/lib/pkgconfig pkg-config --exists mediatoken &&
    gcc -o "$work/gate" "$repository/examples/gate.c" -I"$work/local/include" -L"$work/local/lib" -lmediatoken &&
    [[ $(LD_LIBRARY_PATH=$work/local/lib ldd "$work/gate") == *"$work/local/lib/libmediatoken.so.0"* ]]
}
check "a program is compiled with the archive's C library" works
# newest NAME: of the versions of symbols that the archive's files need; CentOS Stream 9's and Ubuntu 22.04's are no older than these.
newest() {
  objdump -T "$work"/local/{bin/mediatoken,sbin/mediatokend,lib/libmediatoken.so.0} | grep -oE "\($1_[0-9.]+\)" | tr -d '()' |
    sort -uV | tail -n 1
}
while read -r name most; do
  check "the archive needs $name of $most at most" equals "$(newest "$name")" "${name}_$most"
done <<'MOST'
GLIBC 2.34
GLIBCXX 3.4.29
CXXABI 1.3.11
OPENSSL 3.0.0
LIBXML2 2.6.1
MOST
check "the archive's command line decides as ours" eval 'MEDIATOKEN=$work/local/bin/mediatoken "$scenarios/cli/verify.sh" >"$work/log"'
check "SetUp's table of releases has the archive" python3 -B "$repository/Tests/Releases/table.py" archive \
  "both programs, C library, command line; it needs glibc 2.34"
check "what the daemon is made of is the package's own list" \
  equals "$(jq -r .spdxVersion "$work/made/mediatokend_$version.spdx.json")" SPDX-2.3
# The same again, since nothing in it is of the day.
release again >/dev/null
check "a release that is made again has the same bytes" diff -r "$work/made" "$work/again"
check "tools/release refuses a folder with something in it" exits 1 release made
echo change >>"$checkout/README.md"
check "tools/release refuses a checkout with changes" refused changed "the checkout has changes"
git -C "$checkout" checkout --quiet README.md
sed -i 's/^## Unreleased$/&\n\n### Added\n\n- Something./' "$checkout/CHANGELOG.md"
commit "something is unreleased"
check "tools/release refuses what is unreleased" refused unreleased "CHANGELOG.md has unreleased changes"
git -C "$checkout" reset --quiet --hard HEAD~
sed -i "s/$version/9.9.9/" "$checkout/Sources/MediaToken/Facts/Version.swift" "$checkout/CHANGELOG.md"
commit "another version"
check "tools/release refuses packages of another version" exits 1 release another
finish
