"""What command lines say that people and scripts type: the paragraphs of lines.txt, in one shell and one folder each."""
import os
import re
import shutil

from lines import run, stories, told
from mistakes import ENVIRONMENT
from processes import MEDIATOKEN, SPEND
from scenario import ROOT, check, path
from vectors import FINGERPRINT, KEYS, WEAK, plain

GUID = "00112233445566778899aabbccddeeff"
#: What shows a session GUID because that is its purpose.
SHOWING = re.compile("--show-session-guid|--json|issue")
OURS = "--requestor REF30 --resource TNT"
#: Before each line. The clock of doors shows the hour of issue for ever.
WORDS = f"""set -o pipefail
issue() {{ mediatoken issue --key key.private.pem {OURS} "$@"; }}
verify() {{ mediatoken verify "$@" --keys key.pem {OURS}; }}
explain() {{ mediatoken explain "$@" --keys key.pem {OURS}; }}
signed() {{ echo "<signatureInfo>$(printf %s "$1" | openssl dgst -sha256 -sign key.private.pem | base64 -w 0)<signatureInfo>$1"; }}
config() {{ cat >c.json; printf '{{"socket": {{"path": "none.sock"}}, "keys": ["key.pem"], %s}}' "$(cat c.json)" >c.json; }}
"""


def of_story(number, story):
    folder, found = path(f"lines-{number}"), {}
    os.mkdir(folder)
    for name, file in (("key", KEYS[0]), ("weak", WEAK)):
        for end, mode in ((".pem", 0o644), (".private.pem", 0o600)):
            os.chmod(shutil.copyfile(file.replace(".pem", end), f"{folder}/{name}{end}"), mode)
    with open(folder + "/words", "w") as words:
        words.write(WORDS)
    where = ENVIRONMENT | {
        "PATH": f"{os.path.dirname(MEDIATOKEN)}:{ENVIRONMENT['PATH']}", "BASH_ENV": "words", "TZ": "UTC", "GUID": GUID, "WEAK": FINGERPRINT,
        "spend": SPEND, "OURS": OURS, "K": "--keys key.pem", "ANY": "--any-requestor --any-resource", "FIXTURES": f"{ROOT}/Tests/Fixtures"}
    for name, command in [("", "issue --session-guid $GUID >token"), *story]:
        status, said, error = run(command, folder, where, lambda text: plain(text.replace(folder + "/", "").replace(folder, "HERE")))
        with open(folder + "/token") as token:
            where["T"] = token.read().strip()
        if name:
            secrets = [GUID, where["T"][40:100], "BEGIN"]
            if any(secret in error or secret in said and not SHOWING.search(command) for secret in secrets):
                check(f"{name}: neither token nor GUID nor key is shown", False, name)
            if status == 2 and not re.search("[;|]", command) and not (said == "" and "--help" in error):
                check(f"{name}: a usage error prints nothing and says where to look", False, (said, error))
            found[name] = f"exit {status}: {said}{re.sub('(?m)^', 'error: ', error.rstrip()) if error else ''}".rstrip()
        elif status != 0:
            check(f"{command} makes ready", False, error)
    return found


def of_lines():
    return told(stories(ROOT / "Tests/Scenarios/doors/lines.txt"), of_story)
