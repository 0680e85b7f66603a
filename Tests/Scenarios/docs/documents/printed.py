"""What commands print is what the documents show."""
import os
import pathlib
import shutil
import subprocess
import tempfile

from pages import ARTICLES, consoles, is_all, is_part, stable, typed
from processes import MEDIATOKEN, MEDIATOKEND
from scenario import ROOT, check


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, **options)


def two_commands(readme):
    """The second one is what runs this; that it is there, and what it would run, is all that is looked at."""
    shown = [line.split("#")[0].strip() for line in readme.block("Two commands").splitlines()]
    check("README's two commands are the tour and the tests", shown == ["./tour", "Tests/run"], shown)
    listed = run("Tests/run", "--list", cwd=ROOT)
    check("Tests/run --list names the unit tests",
          listed.returncode == 0 and "unit tests" in listed.stdout.splitlines(), listed.stderr)


def tour(readme, article):
    toured = run("./tour", cwd=ROOT)
    printed = toured.stdout[toured.stdout.find("\n$ mediatoken") + 1:]
    check("the tour ends with 0, and prints commands", toured.returncode == 0 and printed, toured.stdout + toured.stderr)
    shown = [article.block(heading) for heading in ("A key and a token", "A valid token")]
    shown += [article.block("Two refusals", 1), article.block("Two refusals", 2), article.block("Why"), article.block("One use")]
    check("the tour prints what its article shows", all(shown) and is_all("\n".join(shown), printed), "\n" + printed)
    check("README shows a part of what the tour prints", is_part(readme.block("Two commands", 2), printed), "\n" + printed)


def trial(readme):
    """`mediatokend --dev`, and the line that it prints, typed twice."""
    with tempfile.TemporaryDirectory() as folder:
        daemon = subprocess.Popen([MEDIATOKEND, "--dev"], cwd=folder, stdout=subprocess.PIPE, text=True)
        try:
            said = iter(daemon.stdout.readline, "")
            command = next((line.strip() for line in said if "curl " in line and "/v1/verify?" in line), "")
            check("mediatokend --dev prints a line to paste", command.startswith("curl "), command)
            printed = "".join(f"$ {command}\n{run('bash', '-c', command, cwd=folder).stdout}" for _ in range(2))
            check("the line of mediatokend --dev, typed twice, prints what README shows", is_all(readme.block("The daemon"), printed), "\n" + stable(printed))
        finally:
            daemon.terminate()
            check("mediatokend --dev ends with 0", daemon.wait() == 0)


def fleet(deployment, number=1):
    """A fleet in five commands, each typed when what it needs is there, in one shell."""
    shown = deployment.block("Try a fleet", number)
    commands = [line[2:] for line in shown.splitlines() if line[:2] == "$ "]
    check(f"Deployment shows fleet {number} in five commands", len(commands) == 5, shown)
    are_ready = ("until mediatoken query --socket a.sock --ready && mediatoken query --socket b.sock --ready; do sleep 0.1; done"
                 " >waited.log 2>&1")
    waits = {0: f"until grep -sqE 'Stop with|{LATE}' dev-fleet.log; do sleep 0.1; done\n! grep -q '{LATE}' dev-fleet.log || exit",
             1: are_ready, 3: are_ready}
    script = "\n".join(f"echo 'command {number}'\n{command}\n{waits.get(number, '')}"
                       for number, command in enumerate(commands))
    # Its nodes or a daemon may be too late on a busy machine, and a token used up by then: it is typed again, with another fleet.
    # In none of them a token plays twice.
    for _ in range(10):
        printed, said, is_late, is_left = typed_at_once(script)
        for index, command in enumerate(commands):
            printed = printed.replace(f"command {index}\n", f"$ {command}\n")
        if printed == shown or not is_late or is_left or printed.count("VALID_TOKEN") > 2:
            break
    check(f"the five commands of Deployment's fleet {number} print what it shows", printed == shown and shown, f"\n{printed}\n{said}")
    check(f"the five commands of Deployment's fleet {number} leave no fleet", not is_left)


#: What the command says whose nodes are late: that one does not vote, or that they do not vote in time.
LATE = "not vote"


def typed_at_once(script):
    """What a script prints in a new folder, all else that is said there, whether something was late, and whether its
    fleet is left. The folder is the user's alone, who is not root, as PostgreSQL wants it."""
    with tempfile.TemporaryDirectory() as folder:
        for program in (MEDIATOKEN, MEDIATOKEND):
            shutil.copy(program, folder)
        shutil.copytree(ROOT / "examples/fleet", os.path.join(folder, "examples/fleet"))
        user = ()
        if os.geteuid() == 0:
            user = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")
            os.chown(folder, 65534, 65534)
        path = f"{folder}:{os.environ['PATH']}"
        ours = os.path.join(folder, "dev-fleet")
        script = script.replace("/tmp/dev-fleet", ours)
        ends = "trap 'kill $(jobs -p) 2>/dev/null; wait' EXIT"
        ran = run(*user, "timeout", "600", "bash", "-c", f"{ends}\n{script}", cwd=folder, env={**os.environ, "PATH": path})
        logs = "".join(log.read_text() for log in sorted(pathlib.Path(folder).glob("*.log")))
        is_late = "no verdict" in ran.stderr or LATE in logs
        return ran.stdout, f"{ran.stderr}\n{logs}", is_late, os.path.exists(ours)


def computed():
    """What the fleet's articles compute. Console blocks of other articles are for other scenarios."""
    articles = [article for article in ARTICLES if article.name in ("Deployment.md", "FleetProtocol.md", "ReplayTableFormat.md") and "```console\n" in article.read_text()]
    for article in articles:
        consoles(article, typed)
    check("articles of the fleet have commands that compute something", articles)
