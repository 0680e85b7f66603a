"""What each door says about every vector: `verify --batch`, a daemon and the C library; of one vector of each verdict,
reason and number of options what `verify`, `inspect` and `explain` print, too.

An answer is kept as its verdict and the beginning of a SHA-256 of all of it. What the verdict has to be is for VectorTests and
cli/vectors.py.
"""
import ctypes
import hashlib
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from urllib.parse import quote_from_bytes, unquote, urlencode

from connection import post
from daemon import Connection, Daemon
from processes import MEDIATOKEN
from scenario import ROOT, path, scratch
from vector_files import VECTORS, all_vectors, by_options, run_batch

sys.path.insert(1, str(ROOT / "clients/python"))
from mediatoken import _library
from mediatoken._library import Handle, Text, Texts

ALL = all_vectors()
SAID = [vector for vector in ALL if not vector.cannot_be_said()]
WEAK, *KEYS = (str(key) for key in sorted((VECTORS / "shared/keys").glob("rsa????.pem")))
_listed = subprocess.run([MEDIATOKEN, "keys", "list", "--json", "--keys", WEAK, "--allow-rsa-1024", "any"], check=True, capture_output=True)
FINGERPRINT = json.loads(_listed.stdout)["keys"][0]["fingerprint"]
VERSION = subprocess.run([MEDIATOKEN, "--version"], check=True, capture_output=True, text=True).stdout.split()[1]
#: Whole answers by their digests, to be shown where they are new.
whole = {}


def plain(text):
    """The same in every folder, of every version and for every request."""
    text = text.replace(scratch, "SCRATCH").replace(str(ROOT), "ROOT").replace(VERSION, "VERSION")
    return re.sub('"requestID":"[0-9a-f]{16}"', '"requestID":"..."', text)


def short(words, text):
    """The words and the beginning of a digest of the text."""
    digest = hashlib.sha256(text.encode()).hexdigest()[:8]
    whole[digest] = re.sub('("?sessionGUID"?: ?"?)[0-9a-f]+', r"\1...", text)
    return f"{words} {digest}".lstrip()


def of_json(text, status=""):
    """The same with the words of an answer that is one JSON object, or of none."""
    body = text.rpartition("\n\n")[2]
    said = json.loads(body) if body.startswith("{") else {}
    words = [status, said.get("verdict") or said.get("fault") or said.get("error"), said.get("reason")]
    return short(" ".join(str(word) for word in words if word), plain(text))


# MARK: command line


def in_batches():
    answers = (json.loads(line) for members in by_options(SAID) for line in run_batch(members).stdout.decode().splitlines())
    return {answer["id"]: of_json(json.dumps(answer | {"line": 0})) for answer in answers}


def printed(vector):
    """What commands print about one vector."""
    verify = vector.asking()[2:]
    answers = []
    for command in (["verify", *verify], ["inspect", "-"], ["explain", *verify]):
        for form in ([], ["--json"]):
            run = subprocess.run([MEDIATOKEN, *command, *form], input=vector.received, capture_output=True)
            answers.append(short(f"{command[0]} {run.returncode}", plain((run.stdout + run.stderr).decode())))
    return "; ".join(answers)


def one_by_one():
    ones = {(vector.expect, vector.reason, len(vector.options)): vector for vector in SAID}.values()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return dict(zip((vector.name for vector in ones), pool.map(printed, ones)))


# MARK: daemon


def daemon(name, **settings):
    """One that trusts the keys of all vectors."""
    return Daemon(SimpleNamespace(keys="", fingerprint=FINGERPRINT), name, keys=[WEAK, *KEYS], threads=1, **settings).start()


class Caller:
    """Asks one socket, on one connection for as long as it stays open."""

    def __init__(self, address):
        self.address, self.connection = address, None

    def ask(self, request):
        self.connection = self.connection or Connection(self.address)
        self.connection.send(request)
        answer = self.connection.receive()
        if self.connection.is_closed_by_answer(answer):
            self.connection = self.connection.close()
        return of_json(answer.head.decode().replace("\r\n", "\n") + "\n\n" + answer.body.decode(), str(answer.status))


def as_proxy(vector, wanted):
    """The question of a proxy, with the token in a header where one can have it, else in the query."""
    fields = "".join(f"X-{name}: {value}\r\n" for name, value in wanted.items())
    target, query = "/v1/auth/live", "?token=" + quote_from_bytes(vector.received)
    if len(vector.received) < 12_000 and all(0x20 <= byte < 0x7F for byte in vector.received):
        fields, query = f"{fields}X-Media-Token: {vector.received.decode()}\r\n", ""
    return f"GET {target}{query} HTTP/1.1\r\nHost: localhost\r\n{fields}\r\n".encode()


def asked(vector, caller, desk):
    """What a daemon answers to all forms of the question, and its inspector."""
    wanted = {"requestor": vector.requestor, "resource": vector.resource, "resourceDocument": vector.document, "resourceChannel": vector.channel}
    wanted = {name: value for name, value in wanted.items() if value is not None}

    def posted(kind, body, target="/v1/verify", caller=caller):
        return caller.ask(post(body, target.encode(), f"Content-Type: {kind}\r\n".encode()))

    query = "?" + urlencode(wanted)
    first = posted("text/plain", vector.received, "/v1/verify" + query)
    answers = {"form": posted("application/x-www-form-urlencoded", urlencode(wanted | {"token": vector.received}).encode()),
               # A JSON text is UTF-8: with other bytes another token is asked about.
               "json": posted("application/json", json.dumps(wanted | {"token": vector.received.decode(errors="replace")}).encode())}
    answers = {form: answer for form, answer in answers.items() if answer != first}
    answers |= {"auth": caller.ask(as_proxy(vector, wanted)), "explain": posted("text/plain", vector.received, "/v1/explain" + query, desk)}
    # The verdict is said once.
    verdict = " ".join(first.split()[1:-1])
    return "; ".join([first, *(f"{form} {answer.replace(verdict + ' ', '')}" for form, answer in answers.items())])


def of_daemon():
    """Where form and json are not named they are the same as text."""
    auth = {"tokenHeader": "X-Media-Token", "queryParameter": "token", "requestorHeader": "X-requestor", "resourceHeader": "X-resource"}
    requestors = sorted({vector.requestor for vector in SAID} - {None})
    served = daemon("every", tenants=[{"requestor": name} for name in requestors], replay={"address": "none:"}, auth=auth,
                    inspector=path("inspector.sock"), log={"verdicts": "none"})
    caller, desk = Caller(served.socket), Caller(path("inspector.sock"))
    said = {vector.name: asked(vector, caller, desk) for vector in ALL}
    served.end()
    return said


# MARK: C library

TEXTS = ("reason", "detail", "action", "adobe_code", "identity", "requestor_id", "resource_id", "mvpd_id", "proxy_mvpd_id", "key_fingerprint")
INSTALLED = os.environ.get("MEDIATOKEN_LIBRARY")
C = _library.load(f"{INSTALLED}/usr/local/lib/libmediatoken.so.0" if INSTALLED else f"{os.path.dirname(MEDIATOKEN)}/libmediatoken-abi.so")


def verifier(vector):
    """With the keys and the policy of a vector."""
    keys, made, why = Handle(C.mediatoken_keys_free), Handle(C.mediatoken_verifier_free), ctypes.create_string_buffer(512)
    C.mediatoken_keys_new(ctypes.byref(keys.pointer))
    C.mediatoken_keys_allow_rsa_1024(keys.pointer, FINGERPRINT.encode(), len(FINGERPRINT))
    for key in vector.one("keys").split(","):
        file = os.fsencode(VECTORS / "shared/keys" / key.strip())
        C.mediatoken_keys_add_path(keys.pointer, file, len(file), why, len(why))
    times = [int(vector.one(name) or usual) for name, usual in (("max-ttl", 3_600_000), ("future-tolerance", 60_000), ("expiry-tolerance", 0))]
    allowed, proxies, denied = (Texts(unquote(name) for name in vector.header.get(kind + "-mvpd", ())) for kind in ("allow", "allow-proxy", "deny"))
    policy = _library.Policy(
        ctypes.sizeof(_library.Policy), *times, 0, vector.one("unknown-fields") == "reject", "allow-mvpd" in vector.header, allowed, denied, 0,
        Text(), Text(), proxies, "allow-proxy-mvpd" in vector.header, 0)
    C.mediatoken_verifier_new(ctypes.byref(made.pointer), keys.pointer, ctypes.byref(policy), b"none:", 5, why, len(why))
    return made, plain(why.value.decode())


def verified(vector, made):
    """What a verifier says about a vector, without the session GUID."""
    kind = 1 if vector.document is not None else 2 if vector.channel is not None else 0
    resource = (vector.resource, vector.document, vector.channel)[kind]
    requestor, resource = (Text(None if text is None else text.encode()) for text in (vector.requestor, resource))
    flags = (vector.requestor is None) + 2 * (resource.bytes is None)
    request = _library.Request(
        ctypes.sizeof(_library.Request), flags, 0, Text(vector.received), requestor, resource, int(vector.now), Text(), kind, 0)
    result, said = Handle(C.mediatoken_result_free), {}
    C.mediatoken_result_new(ctypes.byref(result.pointer))
    code = C.mediatoken_code_name(C.mediatoken_verify(made.pointer, ctypes.byref(request), result.pointer)).decode()
    for name in TEXTS:
        said[name] = (getattr(C, "mediatoken_result_" + name)(result.pointer, None) or b"").decode()
    for name in ("issue_time_ms", "ttl_ms", "expires_at_ms"):
        value = ctypes.c_int64()
        said[name] = getattr(C, "mediatoken_result_" + name)(result.pointer, ctypes.byref(value)), value.value
    said["use"], fields = C.mediatoken_result_use(result.pointer), range(C.mediatoken_result_unknown_field_count(result.pointer))
    said["unknown"] = [C.mediatoken_result_unknown_field(result.pointer, index, None).decode() for index in fields]
    return short(f"{code} {said['reason']}".rstrip(), json.dumps(said, ensure_ascii=False))


def of_library():
    """The installed library, or the one that was built with the programs."""
    said = {}
    for vectors in by_options(ALL):
        made, why = verifier(vectors[0])
        said |= {vector.name: why or verified(vector, made) for vector in vectors if vector.now != "0"}  # Which would be the system's.
    return said
