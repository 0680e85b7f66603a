# Sourced after scenario.sh: the files of Tests/Vectors.
vectors=$repository/Tests/Vectors

# body FILE: the token of a vector, byte for byte.
body() { python3 -c 'import sys; sys.stdout.buffer.write(open(sys.argv[1], "rb").read().split(b"\n\n", 1)[1])' "$1"; }

# header NAME FILE: a header of a vector, empty if it has none.
header() { sed -n "/^\$/q; s/^$1: *//p" "$2"; }
