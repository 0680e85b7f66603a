"""What both programs say about mistakes: in each setting of a configuration, and in each option of each command."""
import json
import os
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor

from lines import of_any_machine
from processes import MEDIATOKEN, MEDIATOKEND
from scenario import ROOT, check, path
from vectors import ALL, KEYS, plain, short

SCHEMA = json.loads((ROOT / "deploy/mediatokend.schema.json").read_text())
TOKEN = next(vector for vector in ALL if vector.name == "shared/any-resource").received
USUAL, AS_USUAL = "as it should be", "as usual"
ENVIRONMENT = {"PATH": os.environ["PATH"], "LD_PRELOAD": os.environ["LD_PRELOAD"]}


def said(command):
    """In a folder where nothing can be made, without what is said about this machine; a whole page in short."""
    run = subprocess.run(command, input=TOKEN, capture_output=True, cwd="/proc", timeout=60, env=ENVIRONMENT)
    text = of_any_machine(plain((run.stdout + run.stderr).decode()))
    is_short = text.count("\n") < 16 and "sessionGUID" not in text
    return f"exit {run.returncode}: {text}".strip() if is_short else short(f"exit {run.returncode}, a page", text)


def each(cases):
    """What is said in each case, by a case and what to ask."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return dict(zip(cases, pool.map(lambda ask: ask(), cases.values())))


def unusual(found):
    """With a word in the place of what is said in the usual case, too; and once what several values of an option bring."""
    cases = {}
    for case, answer in found.items():
        option, is_value, value = case.partition(" ")
        cases.setdefault((option, answer) if option[:2] == "--" and is_value else (case, answer), []).append(value if is_value else case)
    return {option if values == [option] else " ".join([option, ", ".join(values)]) if option[:2] == "--" else option:
            AS_USUAL if answer == found[USUAL] and option != USUAL else answer for (option, answer), values in cases.items()}


# MARK: settings


def sample(address=None):
    """A configuration with every section."""
    handover = {"format": "nginx-secure-link", "key": path("handover.key"), "lifeSeconds": 60, "path": "/live/"}
    place = {"mode": "0600", "owner": 0, "group": 0}
    return {
        "$schema": "x", "socket": {"path": path("s")} | place, "tcp": {"address": "127.0.0.1", "port": 1, "mayVerify": True},
        "inspector": {"path": path("i")} | place, "threads": 1, "keys": [KEYS[0]], "allowRSA1024": [],
        "requestIDHeader": "X-Request-ID", "replay": {"address": address or "shared:" + path("table/table"), "retryWindowMilliseconds": 2000},
        "tenants": [{"requestor": "REF30", "resources": ["TNT"], "handover": handover}],
        "auth": {"uriHeader": "X-Original-URI", "methodHeader": "X-Original-Method", "tokenHeader": "X-Token", "routes": [
            {"prefix": "/live", "requestor": "REF30", "resource": "TNT", "methods": ["GET"], "handover": handover | {"cookie": {}}}]},
        "limits": {}, "deadlines": {}, "log": {}, "viewerTag": {"key": path("tag.key"), "rotateHours": 1}}


def settings(schema=SCHEMA, steps=()):
    """Each setting's place, and its schema."""
    for name, inner in schema["properties"].items():
        inner = inner["anyOf"][1] if "anyOf" in inner else inner
        yield (*steps, name), inner
        item = inner.get("items", inner)
        at = (*steps, name, 0) if item is not inner else (*steps, name)
        if "properties" in item:
            yield from settings(item, at)
        elif item is not inner:
            yield at, item


def wrong_values(schema):
    kinds = schema.get("type", "string")
    values = [None, [] if kinds == "object" else {}]
    values += ["", "? \u00e9"] if "string" in kinds else ["yes"]
    values += ["x" * (schema["maxLength"] + 1)] if "maxLength" in schema else []
    values += [1.5, schema["minimum"] - 1, schema["maximum"] + 1] if "integer" in kinds else []
    return values + ([{"unknown": 1}] if kinds == "object" else [[]] if kinds == "array" else [])


def changed(steps, value):
    """The sample with this value in this place, and with the value that is there twice, as text."""
    # By the clock of the programs.
    moving = {"from": "redis:e@127.0.0.1:1", "to": "redis:f@127.0.0.1:1", "until": 1795176000}
    address = {("replay", "fleet"): moving["to"], ("replay", "address"): moving if len(steps) > 2 else None}.get(steps[:2])
    whole = place = sample(address)
    for step, inner in zip(steps, steps[1:]):
        place = place.setdefault(step, [] if isinstance(inner, int) else {}) if isinstance(place, dict) else place[step]
    if isinstance(place, list):
        place[:] = [value] if value is not TWICE else place[:1] * 2
    elif value is TWICE:
        place["again:" + steps[-1]] = place.setdefault(steps[-1], 1)
    else:
        place[steps[-1]] = value
    return json.dumps(whole, indent=1).replace('"again:', '"')


TWICE = object()


def checked(text):
    """What `--check-config` says about a configuration."""
    file = path(f"{abs(hash(text))}.json")
    with open(file, "w", opener=lambda name, flags: os.open(name, flags, 0o600)) as opened:
        opened.write(text)
    return said([MEDIATOKEND, "--check-config", "--user", "root", "--config", file]).replace(os.path.basename(file), "config.json")


def of_settings():
    for file, text in (("handover.key", "3954053f578fc51007f2b2634af99010fa94d912e692c5fb"), ("tag.key", "0123456789abcdef" * 4)):
        with open(path(file), "w", opener=lambda name, flags: os.open(name, flags, 0o600)) as opened:
            opened.write(text)
    # By the clock of the programs a folder that changes now will change in days, and no table is made there.
    for folder in ("table", "new"):
        os.mkdir(path(folder))
        os.utime(path(folder), (0, 0))
    subprocess.run([MEDIATOKEN, "replay", "create", "--table", path("table/table"), "--capacity", "100", "--fresh"], check=True, capture_output=True)
    texts = {USUAL: json.dumps(sample(), indent=1), "nothing": "", "no JSON": "{", "an array": "[]"}
    for address in ("none:", f"shared:{path('new/table')}?capacity=100", "redis:f@127.0.0.1:1", "postgres:f@127.0.0.1:1/d"):
        least = {name: sample()[name] for name in SCHEMA["required"]} | {"replay": {"address": address}, "tenants": [{"requestor": "REF30"}]}
        texts[f"replay.address: {plain(address)}"] = json.dumps(least, indent=1)
    for steps, schema in settings():
        name = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps)[1:]
        for value in wrong_values(schema):
            shown = json.dumps(value, ensure_ascii=False)
            texts[f"{name}: {shown if len(shown) < 40 else f'{len(value)} letters'}"] = changed(steps, value)
        texts[f"{name} twice"] = changed(steps, TWICE)
    # One after the other: each tries the same sockets, and would be told that the next one is a daemon.
    return unusual({name: checked(text) for name, text in texts.items()})


# MARK: commands

NOWHERE, TRUST = "/dev/null/x", ["--keys", KEYS[0], "--any-requestor", "--any-resource"]
NODE = ["--replay", "redis:f@127.0.0.1:1"]
#: What each command understands, and where it ends because a file is nowhere; or it is done, and changes nothing. After a comma: only
#: these options are changed.
COMMANDS = {
    "verify": ["-", *TRUST, "--at", "0"],
    "verify, --handover|--re": ["-", *TRUST, "--replay", "shared:" + NOWHERE, "--handover",
                                "nginx-secure-link", "--handover-key", NOWHERE, "--handover-path", "/live/", "--handover-life", "60"],
    "verify, --[cs]|--re|--a[nt]": ["-", "--config", NOWHERE], "verify, --batch|--decision": TRUST,
    "inspect": ["-"], "explain": ["-", *TRUST, "--at", "0"], "explain, --config": ["-"], "keys list": TRUST[:2],
    "issue": ["--key", NOWHERE, "--requestor", "REF30", "--resource", "TNT"], "keys import": [KEYS[0], "--out", NOWHERE],
    "keys generate": ["--out", NOWHERE], "replay create": ["--table", NOWHERE, "--capacity", "5"],
    "replay grow": ["--table", NOWHERE, "--capacity", "5"], "replay info": ["--table", NOWHERE],
    "replay init": [*NODE, "--timeout", "60000"], "replay nodes": [*NODE, "--timeout", "60000"], "replay schema": ["--replay", "postgres:f@db.example/d"],
    "query": ["-", "--socket", NOWHERE, "--requestor", "REF30", "--resource", "TNT"],
    "mediatokend": ["--check-config", "--config", NOWHERE], "mediatokend --dev": ["--socket", NOWHERE],
    "mediatokend init": ["--requestor", "REF30", "--resource", "TNT", "--proxy", "nginx", "--out", NOWHERE]}


def without(option, words):
    """Words without an option, and without its value."""
    place = words.index(option) if option in words else len(words)
    return words[:place] + words[place + (1 if words[place + 1:place + 2] and words[place + 1].startswith("--") else 2):]


def of_command(name, usual):
    """Command lines by what is changed in the usual one."""
    words, _, only = name.partition(", ")
    program = [MEDIATOKEN, *words.split()] if not words.startswith("mediatokend") else [MEDIATOKEND, *words.split()[1:]]
    asking = [*(word for word in program if word != "--dev"), "--help"]
    lines = {USUAL: [*program, *usual]}
    if not only:
        lines |= {"--help": asking, "--nonsense": [*program, *usual, "--nonsense"], "surplus": [*program, *usual, "surplus"], "alone": program}
    page = subprocess.run(asking, capture_output=True, text=True).stdout
    for option, form in re.findall(r"^  (--[a-z0-9-]+)(?: (\S+))?", page, re.M):
        if option not in ("--help", "--dev", "--version") and re.match(only, option):
            line = [*program, *without(option, usual), option]
            lines |= {option: line} if form else {option: line, f"{option}=1": [*line[:-1], f"{option}=1"]}
            for value in ("", "? \u00e9", "-1", "9" * 20) if form else ():
                lines[f"{option} {json.dumps(value, ensure_ascii=False)}"] = [*line, value]
    return lines


def repeated(name, lines):
    """Where a token or its session GUID is on standard error although it is misplaced: as operands, in the name of an option, and as the
    value of each."""
    token = TOKEN.decode()
    misplaced = [[*lines[USUAL], token, token], [*lines[USUAL], f"--{token}"], [*lines[USUAL], f"-{token}"]]
    misplaced += [[*line[:-1], token] for case, line in lines.items() if case.endswith(' ""')]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        runs = pool.map(lambda line: subprocess.run(line, input=b"", capture_output=True, cwd="/proc", timeout=60, env=ENVIRONMENT), misplaced)
        told = [run.stderr.decode(errors="replace") for run in runs]
    secrets = [token[40:100], re.search("<sessionGUID>(.*)</sessionGUID>", token)[1]]
    check(f"{name}: of {len(told)} misplaced tokens none is repeated", not any(secret in text for text in told for secret in secrets))


def of_commands():
    """Pages of help are in the manual, word by word."""
    programs = {f"mediatoken {words}": [MEDIATOKEN, *words.split()] for words in (
        "", "nonsense", "keys", "replay", "keys nonsense", "--version", "--help", "keys --help", "replay --help")}
    found = each({name: lambda line=line: said(line) for name, line in (programs | {"mediatokend --version": [MEDIATOKEND, "--version"]}).items()})
    for name, usual in COMMANDS.items():
        lines = of_command(name, usual)
        repeated(name, lines)
        answers = unusual(each({case: lambda line=line: said(line) for case, line in lines.items()}))
        found |= {f"{name}: {case}": answer for case, answer in answers.items()}
    return found
