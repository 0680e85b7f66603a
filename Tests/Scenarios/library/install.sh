#!/usr/bin/env bash
# deploy/install-library puts its files where it is told, says how to compile with them, and takes them away again.
source "$(dirname "$0")/installed.sh"
needs swift pkg-config cmake gcc openssl
unset PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR # with them everything would be compiled again
# What was compiled for the packages is not compiled again.
sources=${MEDIATOKEN_PACKAGES:-}/mediatoken
if [[ -d $sources/.build/debian/library ]]; then export SCRATCH=.build/debian; else sources=$repository; fi
install=$sources/deploy/install-library
export DESTDIR=$work/root PREFIX=/opt/media LIBDIR=/opt/media/lib/here
mkdir -p "$DESTDIR/opt/media/include" && echo theirs >"$DESTDIR/opt/media/include/other.h"
files() { (cd "$DESTDIR" && find . -type f -o -type l | sort | tr '\n' ' '); }
check "install-library builds and installs" "$install"
export BUILT=$sources/${SCRATCH:-.build/shipped}/library # else it is linked again each time
expected="./opt/media/include/mediatoken.h ./opt/media/include/other.h"
for file in cmake/MediaToken/MediaTokenConfig.cmake cmake/MediaToken/MediaTokenConfigVersion.cmake libmediatoken.so libmediatoken.so.0 \
  pkgconfig/mediatoken.pc; do expected+=" ./opt/media/lib/here/$file"; done
for file in doc/libmediatoken/LICENSE doc/libmediatoken/copyright man/man3/mediatoken.3 mediatoken/mediatoken-tsan.supp mediatoken/mediatoken.supp; do
  expected+=" ./opt/media/share/$file"
done
check "install-library puts library, header, the files of pkg-config, CMake, valgrind and ThreadSanitizer, licences and manual page" equals "$(files)" "$expected "
check "pkg-config names the folders without DESTDIR" \
  [ "$(PKG_CONFIG_SYSROOT_DIR='' PKG_CONFIG_PATH=$DESTDIR$LIBDIR/pkgconfig pkg-config --cflags --libs mediatoken | xargs)" \
  = "-I/opt/media/include -L/opt/media/lib/here -lmediatoken" ]
check "install-library installs again over itself" "$install"
# CMake, as a program that is not ours would use it, below DESTDIR.
mkdir "$work/program"
cp "$repository/examples/gate.c" "$work/program"
cmake_finds() {
  cat >"$work/program/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.16)
project(gate C)
find_package(MediaToken $1 REQUIRED)
add_executable(gate gate.c)
target_link_libraries(gate MediaToken::MediaToken)
END
  rm -rf "$work/built"
  quietly cmake -S "$work/program" -B "$work/built" "-DMediaToken_DIR=$DESTDIR$LIBDIR/cmake/MediaToken" && quietly cmake --build "$work/built"
}
version=$(sed -n 's/.*current = "\(.*\)"/\1/p' "$repository/Sources/MediaToken/Facts/Version.swift")
check "find_package(MediaToken) gives CMake a target" cmake_finds "$version"
check "what CMake built runs without more" exits 2 env -u LD_LIBRARY_PATH "$work/built/gate"
check "CMake is refused a version that is still to come" exits 1 cmake_finds "${version%.*}.999"
check "CMake is refused another major version" exits 1 cmake_finds 1.0
check "install-library uninstalls" "$install" --uninstall
check "install-library that uninstalls leaves what is not its own" [ "$(files)" = "./opt/media/include/other.h " ]
# Where pkg-config and the linker do not look by themselves; the line is typed as it is printed.
installs_for_good() { (unset DESTDIR && PREFIX=$work/own LIBDIR=$work/own/lib "$install" >"$work/out" 2>"$work/err"); }
check "install-library installs where programs will find it" installs_for_good
says_each_file() { (cd / && sed -n 's/^installed: //p' "$work/out" | xargs ls -d) | wc -l; }
check "install-library says what it installed" equals "$(says_each_file)" 11
compiles_as_printed() {
  (cd "$repository" && unset LD_LIBRARY_PATH && eval "$(sed -n 's/^compile with: //p' "$work/out" | sed "s|-o gate|-o $work/gate|")")
}
check "the line that install-library ends with compiles an example" compiles_as_printed
check "what that line compiled runs" exits 2 env -u LD_LIBRARY_PATH "$work/gate"
# refused MESSAGE COMMAND...: as a usage error, and nothing is installed.
refused() { exits 2 "${@:2}" && says "install-library: $1" && equals "$(files)" "./opt/media/include/other.h "; }
check "install-library refuses a relative folder" refused "expected an absolute path, found media" env PREFIX=media "$install"
check "install-library refuses an unknown word" refused "expected --uninstall or nothing, found --remove" "$install" --remove
finish
