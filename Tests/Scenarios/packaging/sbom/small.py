"""tools/sbom and a small program whose parts are known: one archive and one object of the build, Debian's libjansson, and C."""
import json
import os
import pathlib
import shutil
import subprocess

from scenario import ROOT, check

GCC = subprocess.run(["gcc", "-dumpversion"], capture_output=True, text=True).stdout.strip()
LINKER = pathlib.Path(os.path.realpath(shutil.which("swiftc") or "swiftc")).parent / "clang"
BUILD = """
printf 'int mine(void) { return 1; }' >mine.c
printf '#include <jansson.h>\\nint mine(void);\\nint main(void) { return mine() + (int)json_object_size(json_object()); }' >small.c
printf 'int strange(void) { return 2; }' >strange.c
printf 'int strange(void);\\nint mine(void) { return strange(); }' >calls-strange.c
for name in mine small strange calls-strange; do "$CC" -c -o scratch/$name.o $name.c; done
ar rc scratch/libmine.a scratch/mine.o
mkdir elsewhere
ar rc elsewhere/libstrange.a scratch/strange.o
link() { "$CC" -fuse-ld=lld -Wl,--gc-sections "-Wl,-Map=scratch/maps/$1.map" -o root/usr/bin/$1 "${@:2}" -ljansson; }
mkdir -p root/usr/bin root/DEBIAN scratch/maps
link small "$PWD/scratch/small.o" "$PWD/scratch/libmine.a"
echo notes >root/DEBIAN/control
ln -s small root/usr/bin/alias
"""


def sbom(folder, **environment):
    return subprocess.run([ROOT / "tools/sbom", "small", "root", "scratch/maps"], cwd=folder, capture_output=True, text=True,
                          env={**os.environ, "SOURCE_DATE_EPOCH": "1000000000", **environment})


def try_small_binary(folder, takes, linked):
    (folder / "scratch").mkdir(parents=True)

    def shell(text):
        subprocess.run(["bash", "-euc", text], cwd=folder, check=True, env={**os.environ, "CC": str(LINKER)})

    shell(BUILD)
    made = sbom(folder)
    (folder / "small.spdx.json").write_text(made.stdout)
    check("a small program has an SBOM, which the validators take", *takes(folder / "small.spdx.json"))
    document = json.loads(made.stdout)
    program = document["files"][0]
    loaded, inside = linked(document, program, "DYNAMIC_LINK"), linked(document, program, "STATIC_LINK")
    check("the SBOM of a small program has the program and the libraries of Debian that are loaded, and neither links nor what dpkg keeps",
          [file["fileName"] for file in document["files"]] == ["./usr/bin/small"]
          and loaded == {"libjansson.so.4": "libjansson4", "libc.so.6": "libc6"}, (document["files"], loaded))
    check("C's start files are in a small program, and the build's own objects are no one else's", set(inside) and
          set(inside.values()) <= {"libc6-dev", f"libgcc-{GCC}-dev"} and "libmine.a" not in inside, inside)
    again = sbom(folder, TZ="Pacific/Kiritimati", LC_ALL="C.UTF-8", PYTHONHASHSEED="7")
    check("the SBOM of a small program is of SOURCE_DATE_EPOCH, and the same when made again, elsewhere",
          document["creationInfo"]["created"] == "2001-09-09T01:46:40Z" and again.stdout == made.stdout)

    refusals = (
        ("a binary that is not the map's", "printf 'int mine(void) { return 3 * getenv(\"A\")[0]; }' >more.c;"
         "\"$CC\" -w -include stdlib.h -c -o scratch/mine.o more.c; cp scratch/maps/small.map kept;"
         "\"$CC\" -fuse-ld=lld -o root/usr/bin/small scratch/small.o scratch/mine.o -ljansson", "is not the map of"),
        ("a binary without a map", "rm scratch/maps/small.map", "expected scratch/maps/small.map"),
        ("an archive that no package has", "\"$CC\" -c -o scratch/mine.o calls-strange.c;"
         "\"$CC\" -fuse-ld=lld -Wl,-Map=scratch/maps/small.map -o root/usr/bin/small \"$PWD/scratch/small.o\""
         " \"$PWD/scratch/mine.o\" \"$PWD/elsewhere/libstrange.a\" -ljansson", "libstrange.a is linked, and neither"),
    )
    for what, change, message in refusals:
        shell(change)
        refused = sbom(folder)
        check(f"tools/sbom refuses {what}",
              refused.returncode == 1 and message in refused.stderr and not refused.stdout, refused.stderr)
