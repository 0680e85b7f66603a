#!/usr/bin/env -S python3 -B
"""The daemon's articles cannot rot: every name in its source is in them, and every example in them is run.

  MEDIATOKEN=... MEDIATOKEND=... daemon-articles.py [--update]

`console` blocks are run line by line in one folder with a daemon, and must print what the article shows, except for
what is new in every run (times, digests, ids). `--update` writes what was printed into the articles, to be looked at by
the author of the change. Programs in other languages must play a fresh token once.
"""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(1, sys.path[0] + "/../lib")

from processes import MEDIATOKEN, MEDIATOKEND
from scenario import ROOT, check, finish, needs

SERVICE = ROOT / "Sources/MediaTokenService"
ARTICLES = [SERVICE / "MediaTokenService.docc" / name for name in ("HTTPInterface.md", "Operations.md")]
#: Articles of others with examples for the same daemon.
GUESTS = [ROOT / "Sources/MediaToken/MediaToken.docc/HowATokenArrives.md", SERVICE / "MediaTokenService.docc/Troubleshooting.md"]


def source(folder):
    return {path: path.read_text() for path in sorted(folder.rglob("*.swift"))}


def found(pattern, texts, least):
    """All that a pattern finds in some texts; a pattern that finds too little has rotted itself."""
    names = sorted({name for text in texts for name in re.findall(pattern, text)})
    check(f"the source has at least {least} of {pattern}", len(names) >= least, f"found {len(names)}: {names}")
    return names


# MARK: drift


def check_names(http, operations):
    service = source(SERVICE)
    texts = list(service.values())
    daemon = list(source(ROOT / "Sources/mediatokend").values())
    metrics = found(r'"((?:mediatoken|process)_[a-z_]+)"', texts, 20)
    named = set(re.findall(r"`((?:mediatoken|process)_[a-z_]+)", operations))
    check("every metric of the source is in the article Operations", set(metrics) <= named, str(set(metrics) - named))
    check("the article Operations names no metric that the source does not have", named <= set(metrics), str(named - set(metrics)))

    errors = service[SERVICE / "Endpoints/RequestError.swift"]
    names = set()
    for listed in errors.split("var name")[1:]:
        names |= set(re.findall(r'case \.\w+: "([a-z-]+)"', listed.split("\n  }\n")[0]))
    names |= set(re.findall(r'static let name = "([a-z-]+)"', (ROOT / "Sources/MediaTokenFormats/Decision/NoToken.swift").read_text()))
    for text in texts + list(source(ROOT / "Sources/MediaTokenHTTP").values()):
        names |= set(re.findall(r'member\("error", "([a-z-]+)"', text))
        names |= set(re.findall(r'\\?"error\\?":\\?"([a-z-]+)', text))
    check("the source has at least 23 errors", len(names) >= 23, str(sorted(names)))
    table = set(re.findall(r"^\| \d{3} \| `([a-z-]+)`", http, re.M))
    check("the errors in the article HTTPInterface are the source's", names == table, str(names ^ table))

    events = set(found(r'log\.(?:say|write)\([^"]*?"([a-z-]+)"', texts + daemon, 10))
    events |= set(found(r'\(\.\w+, "(seat-[a-z]+)"\)', texts, 4))
    table = {name for line in re.findall(r"^\| (`[a-z-]+`[^|]*) \|", operations.split("## Log")[1], re.M)
             for name in re.findall(r"`([a-z-]+)`", line)}
    check("the log events in the article Operations are the source's", events == table, str(events ^ table))

    decision = service[SERVICE / "Endpoints/Decision.swift"]
    members = set(re.findall(r'writer\.member\("(\w+)"', decision))
    check("the members of a verdict's log line are in the article Operations",
          len(members) >= 10 and all(f"`{name}`" in operations for name in members), str(members))

    verdicts = (ROOT / "Sources/MediaToken/Verdict.swift").read_text()
    for name in sorted(set(re.findall(r'row\("([A-Z_]+)"', verdicts))):
        check(f"the verdict {name} is in the article HTTPInterface", f"| `{name}` |" in http)
    members = found(r'member\("(\w+)"', [(ROOT / "Sources/MediaTokenFormats/Batch/AnswerMembers.swift").read_text()], 15)
    check("every member of an answer is in the article HTTPInterface", all(f"`{name}`" in http for name in members), str(members))
    headers = found(r'"(X-Media-Token-[A-Za-z-]+)"', texts, 9)
    check("every header of an answer is in the article HTTPInterface", all(f"`{name}`" in http for name in headers), str(headers))
    paths = found(r'"(/(?:v1/)?[a-z-]+)"', [service[SERVICE / "Endpoints/Endpoint.swift"]], 6)
    check("every endpoint is in the article HTTPInterface", all(f"`{path}`" in http for path in paths), str(paths))
    reasons = service[SERVICE / "Observing/UnreadyReason.swift"]
    reasons = {text or name for name, text in re.findall(r'^  case (\w+)(?: = "([a-z-]+)")?$', reasons, re.M)}
    check("the source has at least 10 reasons not to be ready", len(reasons) >= 10, str(reasons))
    table = set(re.findall(r"`([a-z-]+)`", "".join(re.findall(r"^\| (`[^|]*) \|", http.split("| `reason` |")[1].split("\n\n")[0], re.M))))
    check("the reasons not to be ready in the article HTTPInterface are the source's", table == reasons, str(table ^ reasons))
    sections = set(re.findall(r"^#### ([a-z-]+)$", operations, re.M))
    check("every reason not to be ready has a section in the article Operations", sections == reasons, str(sections ^ reasons))
    shown = subprocess.run([MEDIATOKEND, "--help"], capture_output=True, text=True, check=True).stdout
    options = found(r"(?m)^  --([a-z0-9-]+)", [shown], 10)
    check("every option of mediatokend is in the article Operations",
          all(f"`--{option}" in operations for option in options), str(options))


# MARK: examples

VOLATILE = [
    (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", "TIME"), (r"\d{4}-\d\d-\d\dT\d\d%3A\d\d%3A\d\d(\.\d+)?Z", "TIME"),
    (r"\b[0-9a-f]{64}\b", "DIGEST"), (r"\b[0-9a-f]{16}\b", "ID"), (r'"sessionGUID":"[^"]*"', "GUID"), (r"\r", ""),
    (r"(?m)^Date: .*$", "Date"), (r" +$", ""),
]


def stable(text):
    for pattern, replacement in VOLATILE:
        text = re.sub(pattern, replacement, text)
    return text.strip()


def run_console(block, work, environment):
    """The block with what its commands print now."""
    lines = []
    for line in block.splitlines():
        if not line.startswith("$ "):
            continue
        result = subprocess.run(["bash", "-c", line[2:]], cwd=work, env=environment, timeout=600,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        lines.append(line)
        lines += result.stdout.replace("\r", "").rstrip("\n").splitlines()
    return "\n".join(lines) + "\n"


def check_consoles(article, work, environment, update):
    text = article.read_text()
    blocks = re.findall(r"(?ms)^```console\n(.*?)^```$", text)
    check(f"{article.name} has examples", len(blocks) >= 1)
    for number, block in enumerate(blocks, 1):
        printed = run_console(block, work, environment)
        holds = stable(printed) == stable(block)
        if update and not holds:
            text = text.replace(f"```console\n{block}```", f"```console\n{printed}```")
            print(f"updated: {article.name}, example {number}")
        else:
            check(f"{article.name}, example {number} prints what the article shows", holds, "\n" + printed)
    if update:
        article.write_text(text)


LANGUAGES = {
    "python": (["python3"], "py"), "javascript": (["node"], "js"), "php": (["php"], "php"), "go": (["go", "run"], "go"),
}


def check_programs(http, work, environment):
    http = http.split("## In your language")[1]
    for language, (command, ending) in LANGUAGES.items():
        program = re.search(rf"(?ms)^```{language}\n(.*?)^```$", http)
        check(f"there is a program in {language}", program is not None)
        if not program:
            continue
        if not shutil.which(command[0], path=environment["PATH"]):
            # Go is not among what Tests/run installs; the article says so.
            check(f"{command[0]} is missing, and only Go may be", language == "go")
            continue
        path = work / f"program.{ending}"
        path.write_text(program[1])

        def run():
            result = subprocess.run([*command, str(path), "token"], cwd=work, env=environment, timeout=600,
                                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            return result.stdout.strip()

        def run_without():
            (work / "mediatokend.sock").rename(work / "elsewhere.sock")
            printed = run()
            (work / "elsewhere.sock").rename(work / "mediatokend.sock")
            return printed

        def answered(*steps):
            """What the last step prints; all of them again while a busy machine gives no answer in the program's time."""
            for _ in range(20):
                *_, printed = [step() for step in steps]
                if not printed.startswith("no answer"):
                    break
            return printed

        def fresh():
            issue(work, environment)

        check(f"the program in {language} plays a fresh token", (printed := answered(fresh, run)) == "play", printed)
        check(f"the program in {language} does not play a token again", (printed := answered(run)) == "TOKEN_REPLAYED", printed)
        fresh()
        check(f"the program in {language} plays nothing without a daemon",
              (printed := run_without()).startswith("no answer"), printed)
        check(f"the program in {language} plays a token that it could not ask about before",
              (printed := answered(fresh, run_without, run)) == "play", printed)


def issue(work, environment):
    subprocess.run(
        "mediatoken issue --key mediatokend-dev.private.pem --requestor REF30 --resource TNT --form base64 >token",
        shell=True, check=True, cwd=work, env=environment)


def main():
    needs("curl", "node", "php")
    http, operations = (article.read_text() for article in ARTICLES)
    check_names(http, operations)

    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        (work / "bin").mkdir()
        (work / "bin/mediatokend").symlink_to(MEDIATOKEND)
        # As the article has it, but patient: a busy machine may take long to answer.
        (work / "bin/mediatoken").write_text(
            f'#!/bin/bash\n[[ $1 != query ]] || set -- "$@" --timeout 60000\nexec {MEDIATOKEN} "$@"\n')
        (work / "bin/mediatoken").chmod(0o755)
        environment = {**os.environ, "PATH": f"{work / 'bin'}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8", "GOCACHE": f"{work}/go"}
        shutil.copy(ROOT / "deploy/mediatokend.sample.json", work)
        (work / "many.py").write_text(re.search(r"(?ms)^```python\n(.*?)^```$", http)[1])
        os.chmod(work / "mediatokend.sample.json", 0o644)
        os.umask(0o022)
        with open(work / "daemon.txt", "w") as output:
            daemon = subprocess.Popen(["mediatokend", "--dev"], cwd=work, env=environment, stdout=output,
                                      stderr=subprocess.STDOUT)
        try:
            deadline = time.monotonic() + 60
            while "Stop with" not in (work / "daemon.txt").read_text() and time.monotonic() < deadline:
                time.sleep(0.05)
            for article in ARTICLES + GUESTS:
                check_consoles(article, work, environment, "--update" in sys.argv)
            check_programs(http, work, environment)
        finally:
            daemon.send_signal(signal.SIGTERM)
            check("SIGTERM ends the daemon with 0", daemon.wait(30) == 0)
    finish()


main()
