"""What command lines say that people and scripts type: the paragraphs of lines.txt, in one shell and one folder each."""
import os
import re
import shutil
import subprocess

from mistakes import ENVIRONMENT, each
from processes import MEDIATOKEN, SPEND
from scenario import ROOT, check, path
from vectors import FINGERPRINT, KEYS, WEAK, plain

GUID = "00112233445566778899aabbccddeeff"
#: What shows a session GUID because that is its purpose.
SHOWING = re.compile("--show-session-guid|--json|issue|^decision")
OURS = "--requestor REF30 --resource TNT"
#: Before each line. The clock of doors shows the hour of issue for ever.
WORDS = f"""set -o pipefail
issue() {{ mediatoken issue --key key.private.pem {OURS} "$@"; }}
verify() {{ mediatoken verify "$@" --keys key.pem {OURS}; }}
explain() {{ mediatoken explain "$@" --keys key.pem {OURS}; }}
signed() {{ echo "<signatureInfo>$(printf %s "$1" | openssl dgst -sha256 -sign key.private.pem | base64 -w 0)<signatureInfo>$1"; }}
config() {{ cat >c.json; printf '{{"socket": {{"path": "none.sock"}}, "keys": ["key.pem"], %s}}' "$(cat c.json)" >c.json; }}
"""


def of_paragraph(number, lines):
    """What each line with a name says, by that name."""
    folder, found = path(f"lines-{number}"), {}
    os.mkdir(folder)
    for name, file in (("key", KEYS[0]), ("weak", WEAK)):
        for end, mode in ((".pem", 0o644), (".private.pem", 0o600)):
            os.chmod(shutil.copyfile(file.replace(".pem", end), f"{folder}/{name}{end}"), mode)
    with open(folder + "/words", "w") as words:
        words.write(WORDS)
    where = {"PATH": f"{os.path.dirname(MEDIATOKEN)}:{ENVIRONMENT['PATH']}", "BASH_ENV": "words", "TZ": "UTC", "GUID": GUID, "WEAK": FINGERPRINT,
             "spend": SPEND, "OURS": OURS, "K": "--keys key.pem", "ANY": "--any-requestor --any-resource", "FIXTURES": f"{ROOT}/Tests/Fixtures"}
    for line in ["| issue --session-guid $GUID >token", *lines]:
        name, command = (part.strip() for part in re.sub(r"\n +", " ", line).split("|", 1))
        run = subprocess.run(["bash", "-c", command], cwd=folder, env=ENVIRONMENT | where, stdin=subprocess.DEVNULL, capture_output=True, timeout=600)
        said, told = (plain(text.decode(errors="backslashreplace").replace(folder + "/", "").replace(folder, "HERE")) for text in (run.stdout, run.stderr))
        with open(folder + "/token") as token:
            where["T"] = token.read().strip()
        if name:
            secrets = [GUID, where["T"][40:100], "BEGIN"]
            if any(secret in told or secret in said and not SHOWING.search(command) for secret in secrets):
                check(f"{name}: neither token nor GUID nor key is shown", False, name)
            if run.returncode == 2 and not re.search("[;|]", command) and not (said == "" and "--help" in told):
                check(f"{name}: a usage error prints nothing and says where to look", False, (said, told))
            found[name] = f"exit {run.returncode}: {said}{re.sub('(?m)^', 'error: ', told.rstrip()) if told else ''}".rstrip()
        elif run.returncode != 0:
            check(f"{command} makes ready", False, told)
    return found


def of_lines():
    text = re.sub(r"(?m)^#.*\n", "", (ROOT / "Tests/Scenarios/doors/lines.txt").read_text())
    paragraphs = [re.split(r"\n(?! )", paragraph.strip("\n")) for paragraph in re.split(r"\n\n+", text.strip("\n"))]
    answers = each({number: lambda number=number, lines=lines: of_paragraph(number, lines) for number, lines in enumerate(paragraphs)})
    found = {name: answer for answers in answers.values() for name, answer in answers.items()}
    names = sum(line.split("|")[0].strip() != "" for lines in paragraphs for line in lines)
    check(f"{names} lines have names of their own", len(found) == names, len(found))
    return found
