# Sourced by build-programs and build-library: `shipped` is how everything is built that is installed somewhere, in $scratch.
#
# The Swift runtime is no Debian package, so it is linked in. The same sources make the same bytes in any folder: debug
# information, which is full of paths, is left out, and so are swiftc's hashes, which depend on them (shipped.ld).
#
# All modules are optimised as one when they are linked: a tenth less of our instructions for a request. The linker (ld.lld) then takes
# 5.1 GB of memory for mediatokend; a machine with less needs swap space.
#
# hiredis and jansson are linked in from their archives: hiredis has another soname in each release of Debian and Ubuntu, and
# without it what is built on Debian 12 runs on Debian 13 and Ubuntu, too.
#
# For another kind of machine: TRIPLE is its name, and SDK a folder with its /usr, in whose usr/lib/swift_static is Swift's runtime.
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
scratch=$(realpath -m "${1:-$repository/.build/shipped}")
mkdir -p "$scratch/maps"
there=() cross=()
if [[ -n ${TRIPLE:-} ]]; then
  there=(--target="$TRIPLE" --sysroot="$SDK")
  cross=(--triple "$TRIPLE" --sdk "$SDK" -Xswiftc -sdk -Xswiftc "$SDK" -Xswiftc -resource-dir -Xswiftc "$SDK/usr/lib/swift_static")
fi
"$(dirname "$(realpath "$(command -v swiftc)")")/clang" "${there[@]}" -O2 -fno-math-errno -fPIC -c -o "$scratch/hypotf.o" "$repository/deploy/hypotf.c"
shipped=("${cross[@]}" -c release --experimental-lto-mode=full --package-path "$repository" --scratch-path "$scratch" --disable-local-rpath -debug-info-format none
  -Xswiftc -static-stdlib -Xswiftc -file-prefix-map -Xswiftc "$repository=."
  -Xswiftc -use-ld=lld # gold leaves names of Swift types in the dynamic symbol table
  -Xlinker -z -Xlinker relro -Xlinker -z -Xlinker now -Xlinker "$repository/deploy/shipped.ld"
  -Xlinker "$scratch/hypotf.o")
for archive in hiredis jansson; do
  # Their module maps ask for the libraries.
  shipped+=(-Xswiftc -Xfrontend -Xswiftc -disable-autolink-library -Xswiftc -Xfrontend -Xswiftc "$archive"
    -Xlinker "-l:lib$archive.a")
done
