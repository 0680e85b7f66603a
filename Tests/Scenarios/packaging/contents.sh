#!/usr/bin/env bash
# The content of the Debian packages: lintian finds nothing, the binaries are hardened and stripped, and every article and manual page is
# there. That the pages have every option is a unit test's.
source "$(dirname "$0")/../lib/scenario.sh"
: "${MEDIATOKEN_PACKAGES:?expected the folder of the packages in MEDIATOKEN_PACKAGES}"
needs lintian readelf dpkg-deb man make gcc
cd "$work"
packages=()
mkdir root
for file in "$MEDIATOKEN_PACKAGES"/*.deb; do
  name=$(dpkg-deb -f "$file" Package)
  packages+=("$name")
  dpkg-deb -R "$file" "root/$name"
done
check "there are four packages" equals "${packages[*]}" "libmediatoken-dev libmediatoken0 mediatoken mediatokend"

# --- what Debian's own checker says ---

lints() { lintian --allow-root --fail-on error,warning "$@" >lintian.txt 2>&1 && [[ ! -s lintian.txt ]] || { cat lintian.txt; return 1; }; }
check "lintian has nothing to say" lints "$MEDIATOKEN_PACKAGES"/*.changes
version=$(dpkg-parsechangelog -l "$repository/debian/changelog" -S Version)
check "the version of the changelog is the programs'" equals "mediatoken $version" "$(root/mediatoken/usr/bin/mediatoken --version)"
check "the version of the changelog is every package's" equals "$(for name in "${packages[@]}"; do dpkg-deb -f "$MEDIATOKEN_PACKAGES/${name}_"*.deb Version; done | sort -u)" "$version"

printf '#!/bin/sh\nexit 127\n' >swift
chmod +x swift
check "without the Swift toolchain the build ends" exits 2 env PATH="$work:$PATH" make -s -C "$repository" -f debian/rules override_dh_auto_configure
check "the build without the Swift toolchain says what is expected" says "expected the Swift toolchain, 6.3 or later, in PATH"

# --- binaries ---

binaries=$(find root -type f -exec sh -c 'head -c 4 "$1" | grep -q ELF' _ {} \; -print | sort)
check "three files are binaries" equals "$(wc -l <<<"$binaries")" 3
# hardened FILE: position-independent, no writable segment that can be executed, all relocations done and read-only.
hardened() {
  readelf -hldW "$1" >elf.txt
  grep -qE '^ *Type: +DYN ' elf.txt && grep -q 'GNU_RELRO' elf.txt && grep -qE 'FLAGS_1.*\bNOW\b' elf.txt &&
    grep -qE 'GNU_STACK .* RW +0' elf.txt && ! grep -qE '(RPATH|RUNPATH|TEXTREL)' elf.txt
}
stripped() { readelf -SW "$1" >sections.txt && ! grep -qE '\.(symtab|debug_[a-z]+) ' sections.txt; }
# The newest version of glibc that a symbol of it has.
needs_glibc() { readelf -VW "$1" | sed -n 's/.*Name: GLIBC_\([0-9.]*\) .*/\1/p' | sort -V | tail -n 1; }
runs_with_2.34() { needs_glibc "$1" >glibc && [[ -s glibc ]] && echo 2.34 >>glibc && sort -VC glibc; }
release=$(. /etc/os-release && echo "$ID $VERSION_ID")
# keeps_to_itself FILE: hiredis is in it, and other libraries of the process see nothing of it or of jansson.
keeps_to_itself() { grep -qa 'Protocol error, got %s as reply type byte' "$1" && ! nm -D "$1" | grep -E ' (redis|sds|json_)'; }
has_tests() { grep -qaE 'XCTest|MediaToken[A-Za-z]*Tests' "$1"; }
for binary in $binaries; do
  check "${binary##*/} is position-independent, and its relocations are read-only from the start" hardened "$binary"
  check "${binary##*/} is stripped" stripped "$binary"
  # What is built on a later one takes its symbols.
  [[ $release != "debian 12" ]] || check "${binary##*/} runs with glibc 2.34" runs_with_2.34 "$binary"
  check "${binary##*/} has hiredis inside, and shows no name of it or of jansson" keeps_to_itself "$binary"
  check "no test is in ${binary##*/}" exits 1 has_tests "$binary"
  check "no path of the build is in ${binary##*/}" exits 1 grep -qE '/Sources/Media|\.build/|/swiftmodule' "$binary"
done
gcc -O2 -fno-math-errno -Dhypotf=ours -c -o ours.o "$repository/deploy/hypotf.c"
gcc -fno-builtin -o hypotf "$here/hypotf.c" ours.o -lm
check "our hypotf, which nothing calls, is as good as glibc's" ./hypotf

# --- documentation ---

for name in "${packages[@]}"; do
  documents=root/$name/usr/share/doc/$name
  check "$name has its copyright, for machines" grep -q '^Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/$' "$documents/copyright"
  check "$name has its changelog" test -s "$documents/changelog.gz"
done
# A catalogue's first page, which has its module's name, is for readers of the Swift sources.
articles=$(cd "$repository/Sources" && for article in */*.docc/*.md; do
  name=$(basename "$article" .md)
  [[ $name == "${article%%/*}" ]] || echo "$name"
done | sort)
check "every article is in a package" equals \
  "$(find root -path '*/usr/share/doc/*' -name '[A-Z]*[a-z]*.md*' -printf '%f\n' | sed 's/\.gz$//; s/\.md$//' | sort)" "$articles"
check "there are seven articles and more" test "$(wc -l <<<"$articles")" -ge 7
mapfile -t commands < <(sed -n '/^## Install$/,/^installs/s/^sudo //p' root/mediatokend/usr/share/doc/mediatokend/SetUp.md)
check "the first command of SetUp installs what building needs" equals "${commands[0]}" "apt-get build-dep ./"
needed_is_known() { (cd "$repository" && quietly apt-get --simulate build-dep ./); }
check "Debian has what building needs" needed_is_known
check "no article has a link that only docc follows" exits 1 grep -rl '<doc:' root/*/usr/share/doc
check "such a link is the article's name, and the section's" \
  grep -q '(Proxies, "A token that comes again")' root/mediatokend/usr/share/doc/mediatokend/Players.md
check "nginx's configurations in the package are those of the repository" \
  diff -r "$repository/deploy/nginx" root/mediatokend/usr/share/doc/mediatokend/examples/nginx
for folder in caddy container envoy grafana haproxy kubernetes prometheus redis; do
  check "the files of $folder in the package are those of the repository" \
    diff -r "$repository/deploy/$folder" "root/mediatokend/usr/share/doc/mediatokend/examples/$folder"
done

# Found as a user's man finds them, by name in the folders of the packages.
found_by_man() { MANPATH=$(printf '%s:' "$work"/root/*/usr/share/man) man -w "$1" "$2" >/dev/null; }
for page in "$repository"/manual/*; do
  name=${page##*/}
  check "man -w finds $name" found_by_man "${name##*.}" "${name%.*}"
done
for program in mediatoken mediatokend; do
  share=root/$program/usr/share
  check "$program can be completed in bash, zsh and fish" quietly cat "$share/bash-completion/completions/$program" \
    "$share/zsh/vendor-completions/_$program" "$share/fish/vendor_completions.d/$program.fish"
done
# A line that begins with two spaces is shown as it is (Debian Policy, 5.6.13).
no_loose_lines() { ! grep -n '^  ' "$repository/debian/control"; }
check "no line of a description is cut loose from its paragraph" no_loose_lines
check "the schema of the settings is where the manual page says" \
  cmp "$repository/deploy/mediatokend.schema.json" root/mediatokend/usr/share/mediatoken/mediatokend.schema.json
check "the OpenAPI document of the endpoints is next to the schema of the settings" \
  cmp "$repository/Sources/MediaTokenService/openapi.yaml" root/mediatokend/usr/share/mediatoken/openapi.yaml
finish
