#!/usr/bin/env -S python3 -B
"""The daemon's articles cannot rot: every name in its source is in them, and every example in them is run.

`console` blocks are run line by line in one folder with a daemon, and must print what the article shows. HTTPInterface's program must
play a fresh token once; those of other languages are kits.py's.
"""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys

sys.path[1:1] = [sys.path[0] + "/../lib", sys.path[0] + "/documents"]

from pages import consoles, typed
from processes import MEDIATOKEN, MEDIATOKEND, launch
from scenario import ROOT, check, finish, needs, scratch, until

SERVICE = ROOT / "Sources/MediaTokenService"
ARTICLES = [SERVICE / "MediaTokenService.docc" / name for name in ("HTTPInterface.md", "SetUp.md", "Operations.md", "Runbooks.md", "Troubleshooting.md")]
#: An article of others with examples for the same daemon.
GUEST = ROOT / "Sources/MediaToken/MediaToken.docc/HowATokenArrives.md"
HTTP, SETUP, OPERATIONS, RUNBOOKS, TROUBLES = (article.read_text() for article in ARTICLES)


# MARK: names


def source(*places):
    """The text of files and folders under Sources."""
    files = [file for place in places for file in sorted((ROOT / "Sources" / place).rglob("*.swift")) or [ROOT / "Sources" / place]]
    return "\n".join(file.read_text() for file in files)


def names(pattern, text):
    return set(re.findall(pattern, text, re.M))


def rows(text):
    """The names in the first cells of a text's tables."""
    return {name for cell in re.findall(r"^\| (`[a-z-]+`[^|]*) \|", text, re.M) for name in re.findall(r"`([a-z-]+)`", cell)}


def coded(pattern, text):
    """What a pattern finds in backquotes."""
    return names(rf"`({pattern})", text)


def check_names():
    service = source("MediaTokenService")
    answers = source("MediaTokenService/Endpoints/RequestError.swift", "MediaTokenHTTP/RequestRefusal.swift")
    errors = ((names(r'\b\d{3}, "([a-z-]+)"', answers) | names(r'static let name = "([a-z-]+)"', source("MediaTokenFormats/Decision/NoToken.swift"))
              | names(r'(?:member\("error", "|\\?"error\\?":\\?")([a-z-]+)', service + source("MediaTokenHTTP")))
              - {"foreign-host"})  # The inspector's.
    events = (names(r'log\.(?:say|write)\([^")]*?"([a-z-]+)"', service + source("mediatokend"))
              | names(r'\("([a-z-]+)", "', source("MediaTokenService/Serving/ServingState.swift")) | names(r'\.\w+, "(node-[a-z]+)"', service))
    reasons = {text or name for name, text in names(r'^  case (\w+)(?: = "([a-z-]+)")?$', source("MediaToken/Facts/Condition.swift"))}
    unready = HTTP.split("| `reason` |")[1].split("\n\n")[0]
    metric = r'(?:mediatoken|process)_[a-z_]+'
    # What, at least how many, the source's names, and the article's, of which these are all there may be.
    for what, least, ours, theirs in (
            ("metrics in Operations", 20, names(rf'"({metric})"', service), coded(metric, OPERATIONS)),
            ("errors in HTTPInterface", 23, errors, names(r"^\| \d{3} \| `([a-z-]+)`", HTTP)),
            ("log events in Operations", 14, events, rows(OPERATIONS.split("## Log")[1])),
            ("reasons not to be ready in HTTPInterface", 10, reasons, rows(unready)),
            ("reasons not to be ready in sections of Runbooks", 10, reasons, names(r"^#### ([a-z-]+)$", RUNBOOKS))):
        check(f"the {what} are the source's", len(ours) >= least and ours == theirs, sorted(ours ^ theirs) or ours)
    options = subprocess.run([MEDIATOKEND, "--help"], capture_output=True, text=True, check=True).stdout
    for what, least, ours, article in (
            ("verdict is in HTTPInterface", 15, names(r'row\(\s*"([A-Z_]+)"', source("MediaToken/Facts/Verdict.swift")), HTTP),
            ("member of an answer is in HTTPInterface", 15, names(r'member\("(\w+)"', source("MediaTokenFormats/Batch/AnswerMembers.swift")), HTTP),
            ("header of an answer is in HTTPInterface", 9, names(r'"(X-Media-Token-[A-Za-z-]+)"', service), HTTP),
            ("endpoint is in HTTPInterface", 6, names(r'"(/(?:v1/)?[a-z-]+)"', source("MediaTokenService/Endpoints/Handler.swift")), HTTP),
            ("member of a verdict's log line is in Operations", 10,
             names(r'writer\.member\("(\w+)"', source("MediaTokenService/Endpoints/Verdicts.swift")), OPERATIONS)):
        check(f"every {what}", len(ours) >= least and all(f"`{name}`" in article for name in ours), sorted(ours))
    options = names(r"^  --([a-z0-9-]+)", options)
    check("every option of mediatokend is in SetUp", len(options) >= 8 and all(f"`--{name}" in SETUP for name in options), options)


def table(title):
    """The cells of each row of a section's tables in Troubleshooting."""
    section = TROUBLES.split(f"\n## {title}\n")[1].split("\n## ")[0]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in section.splitlines() if re.match(r"\| *[^ -]", line)]


def quoted(cell):
    return re.findall(r"`([^`]+)`", cell)


def enumerated(path, pattern):
    return re.findall(pattern, (ROOT / path).read_text(), re.M)


def check_tables():
    """Those of Troubleshooting: every reason, fault and alert that there is, and what explain says to do."""
    refused = [(quoted(cells[0]), cells[2]) for cells in table("A token is refused")]
    reasons = sorted(raw or name for name, raw in enumerated("Sources/MediaToken/Facts/Reason.swift", r'^ +case (\w+)(?: = "([a-z0-9-]+)")?$'))
    named = sorted(name for names, _ in refused for name in names)
    check("every reason is once in Troubleshooting's table of refused tokens",
          len(named) >= 45 and named == reasons, set(named) ^ set(reasons))
    choices = {name: f"`{member}` (`--{option}`)" for name, option, member in enumerated(
        "Sources/MediaToken/Facts/Wording.swift", r'let (\w+) = ChoiceNames\(option: "([^"]+)", member: "([^"]+)"\)')}
    settings = {name: f"`{member}`" for name, member in enumerated("Sources/MediaToken/Facts/Setting.swift", r'let (\w+) = Setting\(\s+name: "(\w+)"')}
    steps = [re.sub(r"\\\(\$0\.\w+\(\.(\w+)\)\)", lambda found: choices[found[1]],
                    re.sub(r"\\\(Setting\.(\w+)\.name\)", lambda found: settings[found[1]], step))
             for step in enumerated("Sources/MediaToken/Facts/Reason.swift", r'(?:next:|askForFresh: Cure =)\s+(?:Cure ?[({]\s*)?"([^"]+)"')]
    missing = [step for step in steps if not any(step in cure for _, cure in refused)]
    check("what explain says to do is in Troubleshooting's table of refused tokens", len(steps) >= 19 and not missing, missing)
    said = subprocess.run([MEDIATOKEN, "explain", "-", "--keys", ROOT / "Tests/Vectors/shared/keys/rsa2048.pem", "--any-requestor",
                           "--any-resource"], input="", capture_output=True, text=True).stdout
    check("explain of an empty token prints what Troubleshooting says to do",
          any(f"next: {cure}\n" in said for names, cure in refused if names == ["empty"]), said)
    faults = {name for name in enumerated("Sources/MediaToken/Facts/Verdict.swift", r'row\(\s*"([A-Z_]+)"')
              if name.endswith(("_UNAVAILABLE", "_FULL", "_MEMORY", "_FAULT"))} - {"TOKEN_PREDATES_REPLAY_MEMORY"}
    named = {name for cells in table("There is no verdict") for name in quoted(cells[0]) if name.isupper()}
    check("every fault is in Troubleshooting's table of what has no verdict", len(faults) >= 5 and named == faults, named ^ faults)
    alerts = set(enumerated("deploy/prometheus/mediatoken.rules.yml", r"- alert: (\w+)"))
    named = names(r"^### (MediaToken\w+)$", RUNBOOKS)
    check("the alerts are those that have a section in Runbooks", len(alerts) >= 16 and named == alerts, named ^ alerts)
    told = {title.replace("-", " ") for title in re.findall(r"<doc:Troubleshooting#([^>]+)>", TROUBLES)}
    leading = [cells[1] for cells in table("Overview")[1:]]
    check("every row of Troubleshooting's overview leads to a section or an article", all(re.fullmatch(r"<doc:[^>]+>", cell) for cell in leading), leading)
    check("every section that Troubleshooting sends to is there",
          len(told) >= 7 and all(f"\n## {title}\n" in TROUBLES for title in told), told)


# MARK: examples

WORK = pathlib.Path(scratch)
ENVIRONMENT = {**os.environ, "PATH": f"{scratch}/bin:{os.environ['PATH']}", "LC_ALL": "C.UTF-8"}


def prepare():
    (WORK / "bin").mkdir()
    (WORK / "bin/mediatokend").symlink_to(MEDIATOKEND)
    # As the article has it, but patient: a busy machine may take long to answer.
    (WORK / "bin/mediatoken").write_text(
        f'#!/bin/bash\n[[ $1 != query ]] || set -- "$@" --timeout 60000\nexec {MEDIATOKEN} "$@"\n')
    (WORK / "bin/mediatoken").chmod(0o755)
    shutil.copy(ROOT / "deploy/mediatokend.sample.json", WORK)
    os.chmod(WORK / "mediatokend.sample.json", 0o644)
    os.umask(0o022)


def check_program(text):
    file = WORK / "program.py"
    file.write_text(text)

    def run():
        return subprocess.run(["python3", file, "token"], cwd=WORK, env=ENVIRONMENT, timeout=600, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True).stdout.strip()

    def fresh():
        subprocess.run("mediatoken issue --key mediatokend-dev.private.pem --requestor REF30 --resource TNT --form base64 >token",
                       shell=True, check=True, cwd=WORK, env=ENVIRONMENT)
        return run()

    def answered(step):
        """What a step prints; again while a busy machine gives no answer in the program's time."""
        for _ in range(20):
            printed = step()
            if not printed.startswith("no answer"):
                break
        return printed

    found = answered(fresh), answered(run)
    check("the program in Python plays a fresh token, and not again", found == ("play", "TOKEN_REPLAYED"), found)
    (WORK / "mediatokend.sock").rename(WORK / "elsewhere.sock")
    found = fresh()
    (WORK / "elsewhere.sock").rename(WORK / "mediatokend.sock")
    check("the program in Python plays nothing without a daemon", found.startswith("no answer"), found)


def main():
    needs("curl")
    check_names()
    check_tables()
    prepare()
    with open(WORK / "daemon.txt", "w") as output:
        daemon = launch(["mediatokend", "--dev"], cwd=WORK, env=ENVIRONMENT, stdout=output, stderr=subprocess.STDOUT)
    check("mediatokend --dev starts for the daemon's articles", until(60, lambda: "Stop with" in (WORK / "daemon.txt").read_text()))
    # What Operations and Runbooks have to type is for a machine with systemd: dashboard-schema.py and runbooks.sh.
    for article in [ARTICLES[0], ARTICLES[1], ARTICLES[-1], GUEST]:
        consoles(article, lambda block: typed(block, cwd=WORK, env=ENVIRONMENT))
    check_program(re.search(r"(?ms)^```python\n(.*?)^```$", HTTP.split("## In your language")[1])[1])
    daemon.send_signal(signal.SIGTERM)
    check("SIGTERM ends the daemon with 0", daemon.wait(60) == 0)
    finish()


main()
