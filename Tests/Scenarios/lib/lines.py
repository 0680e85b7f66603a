"""Lines of a text that say what they show and then a command of bash, and records of what commands say."""
import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

from scenario import check, count

_can_mount = subprocess.run(["unshare", "--mount", "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True).returncode == 0
_untried = set()


def stories(file):
    """The paragraphs of a text without its comments: lists of (name, command). Without a name a command makes ready for the next ones."""
    text = re.sub(r"(?m)^#.*\n", "", file.read_text())
    lines = [re.sub(r"\n +", " ", paragraph).split("\n") for paragraph in re.split(r"\n\n+", text.strip("\n"))]
    return [[tuple(part.strip() for part in line.split("|", 1)) for line in paragraph] for paragraph in lines]


def told(stories, tell):
    """What each line says, by its name; `tell` says it of a story with its number."""
    if not _can_mount:
        _untried.update(name for story in stories for name, command in story if "mount " in command)
        count(f"not tried, because nothing can be mounted here: {_untried}")
        stories = [[(name, command) for name, command in story if "mount " not in command] for story in stories]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        answers = pool.map(tell, range(len(stories)), stories)
        found = {name: answer for story in answers for name, answer in story.items()}
    names = sum(name != "" for story in stories for name, _ in story)
    check(f"{names} lines have names of their own", len(found) == names, len(found))
    return found


def of_any_machine(text):
    """What is said, without what this machine and its clock bring to it: a folder in /proc changed when the machine was started."""
    text = re.sub(r"(?m)^\w+ +(clock|limits): .*\n", "", text).replace(", with warnings", "")
    return re.sub(r"\d+( s in the future)", r"N\1", text)


def run(command, folder, environment, plain):
    """The exit status, what is printed, and what is said on standard error, without what differs in each run. What the command leaves
    running ends."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as error:
        shell = subprocess.Popen(["bash", "-c", command], cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=error, start_new_session=True)
        try:
            status = shell.wait(300)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(shell.pid, signal.SIGKILL)
        said = [file.seek(0) or plain(file.read().decode(errors="backslashreplace")) for file in (out, error)]
        return status, *said


def compared(file, said, whole=None):
    """Whether what is said by case is on record: if not, the case, before and now, and the whole answer whose digest is kept. With --record
    the record is made anew."""
    said = {case: answer.split("\n") if answer.count("\n") > 3 else answer for case, answer in said.items()}
    if "--record" in sys.argv:
        file.write_text(json.dumps(said, indent=0, ensure_ascii=False, sort_keys=True) + "\n")
    recorded = {case: answer for case, answer in json.loads(file.read_text()).items() if case not in _untried}
    changed = [case for case in sorted(recorded.keys() | said.keys()) if recorded.get(case) != said.get(case)]
    for case in changed[:20]:
        before, now = str(recorded.get(case)), str(said.get(case))
        print(f"{file.stem}: {case}\n  before: {before}\n  now: {now}")
        for digest in set(re.findall(r"\b[0-9a-f]{8}\b", now)) - set(re.findall(r"\b[0-9a-f]{8}\b", before)):
            print(f"  {digest}: {(whole or {}).get(digest)}")
    check(f"{file.stem}: {len(recorded)} answers are those of the record", recorded and not changed, f"{len(changed)} differ")
