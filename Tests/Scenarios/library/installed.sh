# Sourced by the scenarios of the C library: where it is installed, how to compile against it, keys and tokens.
source "$(dirname "${BASH_SOURCE[0]}")/../lib/scenario.sh"
: "${MEDIATOKEN_LIBRARY:?expected the folder in which the library is installed (DESTDIR) in MEDIATOKEN_LIBRARY}"
installed=$MEDIATOKEN_LIBRARY/usr/local
library=$installed/lib/libmediatoken.so.0
export LD_LIBRARY_PATH=$installed/lib
export PKG_CONFIG_PATH=$installed/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$MEDIATOKEN_LIBRARY
strict=(-Wall -Wextra -pedantic -Werror -O1 -g)

# compiles OUT COMPILER OPTION... FILE...: against the installed library, as a stranger would.
compiles() {
  local out=$1
  shift
  # shellcheck disable=SC2046
  "$@" "${strict[@]}" -o "$out" $(pkg-config --cflags --libs mediatoken)
}

# makes_tokens: development's and a stranger's keys; fresh tokens of REF30 and TNT come from `token`.
makes_tokens() {
  install -m 600 "$repository/keys/development.private.pem" "$work/private.pem"
  install -m 644 "$repository/keys/development.pem" "$work/key.pem"
  openssl genpkey -quiet -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out "$work/other.private.pem" &&
    openssl pkey -in "$work/other.private.pem" -pubout -out "$work/other.pem"
}

# token [OPTION...]: a fresh one.
token() {
  "$MEDIATOKEN" issue --key "$work/private.pem" --requestor REF30 --resource TNT \
    --session-guid "$(od -An -N16 -tx1 /dev/urandom | tr -d ' ')" "$@"
}

# table NAME [CAPACITY]: makes a table and prints its path.
table() {
  "$MEDIATOKEN" replay create --table "$work/$1" --capacity "${2:-1000}" --fresh >/dev/null && echo "$work/$1"
}
