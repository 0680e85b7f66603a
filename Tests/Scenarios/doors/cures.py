#!/usr/bin/env -S python3 -B
"""What keeps a daemon from starting is said with its cure, and the cure cures it: cures.txt has the cases, and cures.json what is said.
others.txt has what other users may change or not ask.

The service has a user of its own, as in operation. What `mediatokend --check-config` names is what a start ends with; the command in the message is
typed by root, and after it that step is ok. At the end every sentence in the sources that says run, move, choose, set or do has been printed
here and done, or has its test elsewhere. `cures.py --record` writes the record.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(1, sys.path[0] + "/../lib")

from lines import compared, of_any_machine, run, stories, told
from processes import MEDIATOKEN, MEDIATOKEND, free_port
from scenario import ROOT, check, finish, needs, path, scratch, skip
from sources import files, literals

HERE = pathlib.Path(__file__).resolve().parent
#: The service's user and group, and another's: no names belong to them.
OURS, OTHER = 47_110, 47_111
#: Before each line.
WORDS = r"""
ours() { $AS "$@"; }
# configure [MEMBERS]: the configuration, with these members in the place of the usual ones.
configure() { python3 -c 'import json, os, sys
usual = {"socket": {"path": f"{os.getcwd()}/run/socket"}, "keys": [f"{os.getcwd()}/etc/keys"],
         "replay": {"address": f"shared:{os.getcwd()}/state/table?capacity=100"}, "tenants": [{"requestor": "REF30"}]}
print(json.dumps(usual | json.loads(sys.argv[1].replace("HERE", os.getcwd()).replace("ABOVE", os.path.dirname(os.getcwd()))), indent=1))' "${1:-{\}}" >etc/config.json; }
# Folders as an installation has them, without a table.
set_up() {
  rm -rf etc state run; mkdir etc state run; cp -r made etc/keys; chown $OURS:$OURS state run; chmod 700 state; chmod 755 . etc run; configure
}
table() { ours mediatoken replay create --table $PWD/state/table --capacity 100 >/dev/null; }
word() { python3 -c 'import struct, sys; f = open("state/table", "r+b"); f.seek(int(sys.argv[1])); f.write(struct.pack("<Q", int(sys.argv[2])))' "$@"; }
away() { mv state/table state/table.old; }
tried() { ours mediatokend --check-config --config $PWD/etc/config.json; }
# Says whether the daemon starts, and ends it.
starts() {
  local daemon _
  : >log; $AS mediatokend --config $PWD/etc/config.json >/dev/null 2>>log & daemon=$!
  for _ in {1..6000}; do grep -q '"event":"started"' log && break; kill -0 $daemon 2>/dev/null || break; sleep 0.01; done
  if grep -q '"event":"started"' log; then kill $daemon; wait $daemon; echo it starts
  else wait $daemon; echo "it does not start, and ends with $?"; [[ ! -S run/socket ]] || echo "it leaves a socket"; fi
}
# cured STEP [CURE]: that step's failure, with which a start ends, too; what the message says to type; and what comes of it.
cured() {
  local sentence typed
  sentence=$(tried 2>/dev/null | sed -n "s/^failed  *${1//[/\\[}: //p")
  echo "$sentence"; starts; grep -qF -- "${sentence%% [0-9]* s in the future*}" log && echo "it ends with this sentence" || cat log
  typed=${2-$(grep -oP 'run: \K.*?(?=; |, and |$)' <<<"$sentence" | head -n 1)}
  echo "typed: $typed"; eval "$typed" >/dev/null 2>&1
  tried | grep "  *${1//[/\\[}: "; starts
}
# A path that the message of a step has in the place of one in another's folder, whose folder is made as it says.
elsewhere() { tried 2>/dev/null | sed -n "s/^failed  *$1: .*, and write the path //p"; }
made() { eval "$(tried 2>/dev/null | sed -n "s/^failed  *$1: .*run: \(.*\), and write the path .*/\1/p")"; }
"""


def of_story(number, story):
    number = f"{number}-{story[-1][0]}".replace(" ", "-")[:12]
    folder, found = path(f"{number}/mediatokend"), {}
    os.makedirs(folder)
    os.chmod(path(number), 0o755)
    shutil.copytree(path("made"), f"{folder}/made")
    with open(path(f"{number}/words"), "w") as words:
        words.write(WORDS)
    where = {"PATH": f"{path('bin')}:{os.environ['PATH']}", "BASH_ENV": "../words", "OURS": str(OURS), "AS": f"setpriv --reuid {OURS} --regid {OURS} --clear-groups --", "OTHER": str(OTHER), "ROOT": str(ROOT),
             "PORT": str(free_port()), "SCRATCH": scratch}

    def plain(text):
        text = text.replace(path(number), "SCRATCH").replace(scratch, "SCRATCH").replace(where["PORT"], "PORT")
        return re.sub(r"(process )\d+", r"\1N", re.sub("[0-9a-f]{64}", "FINGERPRINT", of_any_machine(text)))
    for name, command in [("", "set_up"), *story]:
        status, said, error = run(command if not name or name[0] == "+" else "set_up; " + command, folder, where, plain)
        if name:
            found[name] = f"exit {status}: {said}{re.sub('(?m)^', 'error: ', error.rstrip()) if error else ''}".rstrip()
        elif status != 0:
            check(f"{command} makes ready", False, error)
    return found


#: Cures that cannot be done here, each by words of its sentence: the test that has them, and words in it; or why no test does.
ELSEWHERE = {
    "set both clocks": ("ReplayMemoryTests/Fleet/Redis/ClockJumpTests.swift", "set both clocks"),
    "run mediatoken replay init, or restart this process": ("ReplayMemoryTests/Fleet/Redis/ClockJumpTests.swift", ".clockWasAhead"),
    "refused; set noeviction": ("ReplayMemoryTests/Fleet/Redis/FleetAdministrationTests.swift", "allkeys-lru"),
    "set appendonly no": ("ReplayMemoryTests/Fleet/Redis/FleetAdministrationTests.swift", "the append-only file"),
    "run it again if you still vouch": ("ReplayMemoryTests/Fleet/Redis/FleetAdministrationTests.swift", "lost its data since"),
    "repair them and run this again": ("Scenarios/fleet/example.sh", "repair them and run this again"),
    "set fsync on": ("Scenarios/fleet/postgres.py", "votes again when they are undone"),
    "full_page_writes is off": ("Scenarios/fleet/postgres.py", "full_page_writes"),
    "of an earlier version, and this version": ("Scenarios/postgres/earlier-schema.py", "end all hosts, run mediatoken replay schema"),
    "set this machine's clock if it is wrong": ("Scenarios/monitoring/table_walks.py", 'walks.do("clock-behind")'),
    "run mediatoken replay nodes to see": ("Scenarios/monitoring/fleet-runbooks.py", "MediaTokenFleetNodeAway"),
    "run mediatoken replay info or mediatoken replay nodes": "a code's sentence in C, for all that a memory can lack",
    "to MEDIATOKEN_MVPDS_LISTED": ("Scenarios/library/misuse.c", "MEDIATOKEN_MVPDS_LISTED"),
    "set up NTP": "no test sets up NTP on the machine that it runs on",
}

#: What a sentence says to do: at its beginning, or after a mark.
CURE = re.compile("(?:^|[;:,(…] ?|and |or )(run|move|choose|set|do this as)\\b")


def every_cure(done):
    """No sentence is left: a new one is walked here, or has its place above."""
    left, used = [], set()
    for file in (file for file in files(ROOT / "Sources") if file.suffix == ".swift"):
        for parts in literals(file.read_text()):
            sentence = "…".join(parts)
            if not (CURE.search(sentence) and " " in sentence.strip()):
                continue
            pattern = re.compile(".*".join(re.escape(part.strip()) for part in parts), re.S)
            elsewhere = [words for words in ELSEWHERE if words in sentence]
            used.update(elsewhere)
            if not elsewhere and not any(pattern.search(text) for text in done):
                left.append(f"{file.name}: {sentence}")
    check("every sentence that says what to do was done", not left, left)
    missing = [words for words, where in ELSEWHERE.items() if words not in used
               or not isinstance(where, str) and where[1] not in (ROOT / "Tests" / where[0]).read_text()]
    check("each of the others has its test", not missing, missing)


def folders():
    """Owner, group and mode of folders that are not the daemon's."""
    names = ("/", "/etc", "/run", "/root", "/tmp", "/usr", "/var", "/var/lib", scratch)
    return {name: (status.st_uid, status.st_gid, status.st_mode) for name in names if (status := os.stat(name))}


if os.geteuid() != 0:
    skip("it needs root, for files of other users")
needs("setpriv", "unshare")
# The checkout's folders may be closed to other users.
os.chmod(scratch, 0o755)
os.mkdir(path("bin"))
for program in (MEDIATOKEN, MEDIATOKEND):
    shutil.copy(program, path("bin"))
subprocess.run([MEDIATOKEN, "keys", "generate", "--out", path("made"), "--name", "key"], check=True, capture_output=True)
os.rename(path("made/key.private.pem"), path("made.private.pem"))
before = folders()
said = {}
for name in ("cures", "others"):
    answers = told(stories(HERE / f"{name}.txt"), of_story)
    compared(HERE / f"{name}.json", answers)
    said |= answers
check("no folder of others has another owner, group or mode", folders() == before, (before, folders()))
changed = re.findall(r"(?<!@)\b(?:chown|chgrp|chmod)(?: -\S+)? \S+ ([^\s;,]+)", "\n".join(said.values()))
check("no message changes those of anything but the daemon's own", changed and all(one.startswith("SCRATCH/mediatokend/") for one in changed), set(changed))
unwell = [name for name, answer in said.items() if "typed: " in answer and not ("it ends with this sentence" in answer and answer.endswith("it starts"))]
check("each cure cures what a start ended with", not unwell, unwell)
every_cure(list(said.values()))
finish()
