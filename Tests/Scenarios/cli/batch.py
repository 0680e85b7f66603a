#!/usr/bin/env -S python3 -B
"""`verify --batch`: one answer per line, in order, promptly, with bounded memory. How a line is read is for the unit tests."""
import json
import random
import resource
import subprocess
import sys
import threading

sys.path.insert(1, sys.path[0] + "/../lib")

from processes import MEDIATOKEN
from scenario import check, finish
from tokens import GUID, Signer

SIGNER = Signer()
TOKEN = SIGNER.issue(1, guid=GUID)[0].decode()
TRUST = ["--keys", SIGNER.keys, "--allow-rsa-1024", SIGNER.fingerprint]
COMMAND = [MEDIATOKEN, "verify", "--batch", "-", *TRUST, "--requestor", "REF30", "--resource", "TNT"]


def batch(data, command=None, **options):
    """What a run over this input prints: its status, its answers, its last words."""
    ran = subprocess.run(command or COMMAND, **{"input": data} if data is not None else {}, capture_output=True, **options)
    return ran.returncode, [json.loads(line) for line in ran.stdout.decode().split("\n")[:-1]], ran.stderr.decode()


def joined(*lines, end="\n"):
    return "".join(line + end for line in lines).encode()


def verdicts(answers):
    return [(answer["line"], answer.get("verdict", "error")) for answer in answers]


def kinds():
    #: Each line with what its answer has; None for a line that is blank. Which lines are malformed is BatchLineTests'.
    table = [
        (TOKEN, {"verdict": "VALID_TOKEN"}), ("hello", {"verdict": "INVALID_TOKEN_FORMAT"}), ("", None),
        (json.dumps({"token": TOKEN, "id": "sev\u00e9n"}), {"verdict": "VALID_TOKEN", "id": "sev\u00e9n"}),
        (json.dumps({"token": TOKEN, "resource": "other", "id": -8}), {"verdict": "INVALID_RESOURCE_ID", "id": -8}),
        ('{"token": "x", "token": "y"}', "token"), (json.dumps({"token": TOKEN, "id": "14", "requestor": ""}), "requestor"),
        ("\ufeff" + TOKEN, "byte order mark")]
    status, answers, said = batch(joined(*(line for line, _ in table)))
    wanted = [(number, what) for number, (_, what) in enumerate(table, 1) if what is not None]
    check("a batch answers every line but blank ones, by number and in order", [answer["line"] for answer in answers] == [line for line, _ in wanted], answers)
    for (line, what), answer in zip(wanted, answers):
        if isinstance(what, str):
            check(f"line {line} of a batch has an error that says what is wrong with it, and nothing else",
                  what in answer["error"] and answer.keys() <= {"line", "id", "error"}, answer)
        else:
            check(f"line {line} of a batch has {what}", what.items() <= answer.items()
                  and (what["verdict"] == "VALID_TOKEN" or answer["reason"] and answer["detail"]), answer)
    check("a malformed line of a batch keeps its id where it can be read", answers[-2].get("id") == "14", answers[-2])
    check("a batch with refused lines ends with 1 and has its counts on standard error",
          status == 1 and "8 lines: 2 valid, 2 refused, 3 malformed, 0 undecided, 1 blank" in said, (status, said))
    check("a batch shows no GUID", GUID not in said and not any(GUID in json.dumps(answer) for answer in answers), said)
    check("a batch of valid tokens ends with 0", batch(joined(*[TOKEN] * 5))[0] == 0)
    check("the last line of a batch may lack its line feed", verdicts(batch(TOKEN.encode())[1]) == [(1, "VALID_TOKEN")])
    status, answers, said = batch(b"")
    check("an empty batch ends with 0 and counts 0 lines", (status, answers) == (0, []) and "0 lines" in said, said)
    _, answers, _ = batch(joined(TOKEN, "", json.dumps({"token": TOKEN}), "hello", end="\r\n"))
    check("a batch whose lines end in CR LF has the answers of one with LF",
          verdicts(answers) == [(1, "VALID_TOKEN"), (3, "VALID_TOKEN"), (4, "INVALID_TOKEN_FORMAT")], answers)
    status, answers, _ = batch(joined(TOKEN), [MEDIATOKEN, "verify", "--batch", "-", "--keys", "/none.pem", *COMMAND[8:]])
    check("a batch with unusable keys ends with 3 and answers no line", (status, answers) == (3, []), (status, answers))


def in_pieces(data):
    """The answers to the same bytes, written in pieces of any size."""
    chance = random.Random(5)
    with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as program:
        def write():
            with program.stdin as pipe:
                place = 0
                while place < len(data):
                    size = chance.choice((1, 7, 700, 3000, 65536, 200_000))
                    pipe.write(data[place:place + size])
                    pipe.flush()
                    place += size
        threading.Thread(target=write).start()
        return [json.loads(line) for line in program.stdout]


def many():
    """Among 20,000 lines some that are as long as they may be, by a byte too long, and by far."""
    lines = [TOKEN if n % 3 else f"bad {n}" if n % 2 else json.dumps({"token": TOKEN, "id": str(n)}) for n in range(1, 20_001)]
    lines[100:103], lines[7000:7002] = ["bad" + "x" * 262_141, "x" * 262_145, "y" * 5_000_000], ["", json.dumps({"token": "z" * 300_000})]
    wanted = [(n, "error" if len(line) > 262_144 else "INVALID_TOKEN_FORMAT" if line.startswith("bad") else "VALID_TOKEN",
               json.loads(line)["id"] if line.startswith('{"token": "<') and '"id"' in line else None) for n, line in enumerate(lines, 1) if line]
    for how, answers in (("at once", batch(joined(*lines))[1]), ("in pieces of any size", in_pieces(joined(*lines)))):
        found = [(*verdict, answer.get("id")) for verdict, answer in zip(verdicts(answers), answers)]
        check(f"each of 20,000 lines that come {how} has the answer and the id of its own, in order", found == wanted,
              next(((one, other) for one, other in zip(found, wanted) if one != other), len(found)))
    check("the error of a line that is too long says how long it may be", "262144 bytes" in answers[101]["error"], answers[101])
    endless = subprocess.Popen("head -c 400000000 /dev/zero | tr '\\0' x", shell=True, stdout=subprocess.PIPE)
    _, _, said = batch(None, stdin=endless.stdout, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (2_000_000_000,) * 2))
    check("400 MB without a line feed are one malformed line, in little memory", "1 line: 0 valid, 0 refused, 1 malformed" in said, said)


def promptly():
    """A program that writes one line, waits for its answer, and only then writes the next."""
    with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as program:
        def ask(*lines):
            program.stdin.write(joined(*lines))
            program.stdin.flush()
            return [json.loads(program.stdout.readline()) for _ in lines]
        wanted, answers = [], []
        for number in range(1, 201):
            line = "x" * 300_000 if number % 50 == 0 else TOKEN if number % 2 else json.dumps({"token": TOKEN, "id": str(number)})
            wanted.append((number, "VALID_TOKEN" if number % 50 else "error"))
            answers += ask(line)
        check("a co-process that waits for each answer gets it", verdicts(answers) == wanted, answers[:3])
        answers = ask("x" * 400_000, TOKEN, TOKEN)
        check("lines after one that is too long need no more input",
              verdicts(answers) == [(201, "error"), (202, "VALID_TOKEN"), (203, "VALID_TOKEN")], answers)


kinds()
many()
promptly()
finish()
