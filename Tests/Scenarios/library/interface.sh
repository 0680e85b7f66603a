#!/usr/bin/env bash
# The library as it is installed: what it exports and needs, its header in three languages, wrong use, neighbours in the
# process, and memory.
source "$(dirname "$0")/installed.sh"
needs gcc g++ clang nm readelf pkg-config openssl
makes_tokens

# The library by itself.
exported() { nm -D --defined-only "$library" | awk '$2 != "A" {print $3}' | sed 's/@.*//' | sort; }
listed() { sed -n 's/^ \(mediatoken_[a-z0-9_]*\)@.*/\1/p' "$repository/debian/libmediatoken0.symbols"; }
check "the library exports what is on the committed list, and nothing else" diff <(listed) <(exported)
check "every function of the header is on the list" \
  diff <(listed) \
  <(grep -oE '\bmediatoken_[a-z0-9_]+\(' <(gcc -E -P "$installed/include/mediatoken.h") | tr -d '(' | sort -u)
check "the library is called libmediatoken.so.0" \
  grep -q 'soname: \[libmediatoken\.so\.0\]' <(readelf -d "$library")
needed() { readelf -d "$library" | sed -n 's/.*NEEDED.*\[\(lib.*\)\.so\..*/\1/p' | sort | tr '\n' ' '; }
check "the library needs Debian's libraries only, and no Swift runtime" \
  [ "$(needed)" = "libc libcrypto libgcc_s libm libstdc++ libxml2 " ]
check "the library names no folder to look for others in" \
  eval '! readelf -d "$library" | grep -E "RUNPATH|RPATH|TEXTREL" >/dev/null'
check "dlclose leaves the library where it is" grep -q NODELETE <(readelf -d "$library")
check "the library's stack is not executable" eval '! readelf -lW "$library" | grep GNU_STACK | grep RWE >/dev/null'

# The header.
printf '#include <mediatoken.h>\nmediatoken_policy policy = MEDIATOKEN_POLICY_INIT;\n%s\n' \
  'mediatoken_request request = MEDIATOKEN_REQUEST_INIT;' >"$work/header.c"
cp "$work/header.c" "$work/header.cpp"
for compiler in "gcc -std=c99" "gcc -std=c11" "clang -std=c99" "clang -std=c11" "g++ -std=c++17" "clang++ -std=c++17"; do
  file=$work/header.c
  [[ $compiler == *++* ]] && file=$work/header.cpp
  # shellcheck disable=SC2086
  check "the header compiles with $compiler without a warning" \
    $compiler -Wall -Wextra -pedantic -Werror -I"$installed/include" -c -o /dev/null "$file"
done
check "sizes and offsets are what programs were compiled with" \
  compiles "$work/layout" gcc -std=c11 "$here/layout.c"
check "the library in the process has the header's interface" "$work/layout"
check "pkg-config knows the version" \
  [ "$(pkg-config --modversion mediatoken)" = "$(sed -n 's/.*current = "\(.*\)"/\1/p' "$repository/Sources/MediaToken/Facts/Version.swift")" ]

# Use. The token lives for an hour: under valgrind a busy machine needs its time.
token --ttl 3600000 >"$work/token"
posix=(-std=c11 -D_POSIX_C_SOURCE=200809L)
check "the test of wrong use compiles" compiles "$work/misuse" gcc "${posix[@]}" "$here"/misuse*.c
check "wrong use has its code, and no token is valid" \
  "$work/misuse" "$work/key.pem" "shared:$(table misuse.table)" "$work/token"
xml=$(xml2-config --cflags 2>/dev/null || echo -I/usr/include/libxml2)
check "the test of neighbours compiles" \
  compiles "$work/neighbours" gcc -std=c11 "$xml" "$here/neighbours.c" -lcrypto -lxml2
check "the process's own users of OpenSSL and libxml2 notice nothing, and are not noticed" \
  "$work/neighbours" "$work/key.pem" "$work/token"
check "under another malloc the process's own users of OpenSSL and libxml2 notice nothing" \
  env MALLOC_PERTURB_=165 "$work/neighbours" "$work/key.pem" "$work/token"

# Threads, which the library keeps apart by locks that ThreadSanitizer does not see.
check "the test of threads compiles" compiles "$work/threads" gcc "${posix[@]}" -g -fsanitize=thread "$here/threads.c" -lpthread
watched() {
  TSAN_OPTIONS="suppressions=$installed/share/mediatoken/mediatoken-tsan.supp" \
    "$work/$1" "shared:$(table "$1.table")" "$work/key.pem" "$work/token" 2>"$work/$1.said"
}
check "ThreadSanitizer finds no race in threads that share a verifier, and one of them plays" watched threads
sed 's/pthread_mutex_\(un\)\?lock(&lock)/(void)lock/' "$here/threads.c" >"$work/racing.c"
check "a race of the program's own is still found" eval 'compiles "$work/racing" gcc "${posix[@]}" -I"$here" -g -fsanitize=thread "$work/racing.c" -lpthread &&
  ! watched racing && grep -q "data race .*racing.c" "$work/racing.said"'

# Memory.
check "the test of leaks compiles" compiles "$work/leak" gcc -std=c11 "$here/leak.c"
if command -v valgrind >/dev/null; then
  # What Swift keeps for good is the same after many verifications; what of it is "possibly lost" the installed file names.
  bytes() {
    valgrind --leak-check=full --suppressions="$installed/share/mediatoken/mediatoken.supp" --error-exitcode=9 \
      "$work/leak" "$1" "$work/key.pem" "$work/token" 2>"$work/valgrind.$1" || return 1
    sed -n 's/.*in use at exit: \(.*\) bytes in .*/\1/p' "$work/valgrind.$1"
  }
  one=$(bytes 101) || true
  check "valgrind finds no error and no leak in 101 rounds" [ -n "$one" ]
  many=$(bytes 301) || true
  check "valgrind finds no error and no leak in 301 rounds" [ -n "$many" ]
  echo "in use at exit: $one bytes after 101 rounds, $many after 301"
  check "the memory in use at the end does not grow with the rounds" [ "$one" = "$many" ]
  check "valgrind finds no error in wrong use" valgrind -q --error-exitcode=9 --child-silent-after-fork=yes \
    "$work/misuse" "$work/key.pem" "shared:$(table valgrind.table)" "$work/token"
elif [[ ${CI:-} == true ]]; then
  check "valgrind is there" false
else
  echo "not asked: valgrind is missing"
fi
finish
