#!/usr/bin/env bash
# deploy/install-library puts six files and a link where it is told, and takes them away again.
source "$(dirname "$0")/installed.sh"
needs swift pkg-config
unset PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR # with them everything would be compiled again
# What was compiled for the packages is not compiled again.
sources=${MEDIATOKEN_PACKAGES:-}/mediatoken
if [[ -d $sources/.build/debian/library ]]; then export SCRATCH=.build/debian; else sources=$repository; fi
install=$sources/deploy/install-library
export DESTDIR=$work/root PREFIX=/opt/media LIBDIR=/opt/media/lib/here
mkdir -p "$DESTDIR/opt/media/include" && echo theirs >"$DESTDIR/opt/media/include/other.h"
files() { (cd "$DESTDIR" && find . -type f -o -type l | sort | tr '\n' ' '); }
check "install-library installs" "$install"
check "install-library puts a library, its link, the header, the pkg-config file, the licences and the manual page" \
  [ "$(files)" = "./opt/media/include/mediatoken.h ./opt/media/include/other.h ./opt/media/lib/here/libmediatoken.so ./opt/media/lib/here/libmediatoken.so.0 ./opt/media/lib/here/pkgconfig/mediatoken.pc ./opt/media/share/doc/libmediatoken/LICENSE ./opt/media/share/doc/libmediatoken/copyright ./opt/media/share/man/man3/mediatoken.3 " ]
check "pkg-config names the folders without DESTDIR" \
  [ "$(PKG_CONFIG_SYSROOT_DIR='' PKG_CONFIG_PATH=$DESTDIR$LIBDIR/pkgconfig pkg-config --cflags --libs mediatoken | xargs)" \
  = "-I/opt/media/include -L/opt/media/lib/here -lmediatoken" ]
check "install-library installs again over itself" "$install"
check "install-library uninstalls" "$install" --uninstall
check "install-library that uninstalls leaves what is not its own" [ "$(files)" = "./opt/media/include/other.h " ]
# refused MESSAGE COMMAND...: as a usage error, and nothing is installed.
refused() { exits 2 "${@:2}" && says "install-library: $1" && equals "$(files)" "./opt/media/include/other.h "; }
check "install-library refuses a relative folder" refused "expected an absolute path, found media" env PREFIX=media "$install"
check "install-library refuses an unknown word" refused "expected --uninstall or nothing, found --remove" "$install" --remove
finish
