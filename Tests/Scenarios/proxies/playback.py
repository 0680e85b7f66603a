"""Plays HLS through a proxy that asks mediatokend, with the configuration of deploy/, and attacks it. A part of the
scenarios beside it; each of them says which proxy. Cases 139 to 141, 163 and 178.

Exit status: 0 if every claim holds, 1 if not, 77 if the proxy is not here.
"""
import contextlib
import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from urllib.parse import quote

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "../../.."))
MEDIA = os.path.join(ROOT, "Tests/Fixtures/hls")
SEGMENTS = ["part0.ts", "part1.ts", "part2.ts"]
SAMPLE_SOCKET = "/run/mediatokend/mediatokend.sock"


def program(name, default):
    found = os.environ.get(name) or os.path.join(ROOT, ".build/release", default)
    if not os.access(found, os.X_OK):
        sys.exit(f"expected the program to test in {name}")
    return found


MEDIATOKEN = program("MEDIATOKEN", "mediatoken")
MEDIATOKEND = program("MEDIATOKEND", "mediatokend")


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def rendered(name, changes):
    """A file of deploy/ with its paths exchanged. What is not there to be exchanged is a mistake."""
    text = read(os.path.join(ROOT, "deploy", name))
    for old, new in changes.items():
        if old not in text:
            sys.exit(f"expected {old!r} in deploy/{name}")
        text = text.replace(old, new)
    return text


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return probe.getsockname()[1]


class Claims:
    held = broken = 0

    def claim(self, text, truth, found=""):
        if truth:
            self.held += 1
            print(f"ok: {text}")
        else:
            self.broken += 1
            print(f"FAILED: {text}{': found ' + str(found) if found != '' else ''}", flush=True)


class Daemon:
    """mediatokend as deploy/ configures it for a proxy."""

    def __init__(self, work, sample, **changes):
        self.work, self.socket = work, f"{work}/mediatokend.sock"
        self.path = f"{work}/mediatokend.json"
        self.sample, self.process = sample, None
        self.configure(**changes)

    def configure(self, retry_window=None, **auth):
        sample = json.loads(rendered(self.sample, {
            SAMPLE_SOCKET: self.socket, "/etc/mediatoken/keys": f"{self.work}/keys",
            "/var/lib/mediatoken/replay.table?capacity=1000000": f"{self.work}/replay.table?capacity=10000"}))
        del sample["socket"]["group"]
        sample["replay"].setdefault("retryWindowMilliseconds", 0)
        if retry_window is not None:
            sample["replay"]["retryWindowMilliseconds"] = retry_window
        sample["auth"].update(auth)
        sample["deadlines"] = {"drainMilliseconds": 2000}
        with open(self.path, "w", encoding="utf-8") as file:
            json.dump(sample, file)
        os.chmod(self.path, 0o600)

    def start(self):
        self.log = open(f"{self.work}/mediatokend.log", "ab")
        self.process = subprocess.Popen([MEDIATOKEND, "--config", self.path], stderr=self.log)
        wait_for(lambda: asked(self.socket, "/livez") == 200, "mediatokend", self.process)

    def stop(self, how=signal.SIGTERM):
        if self.process is None:
            return
        self.process.send_signal(how)
        self.process.wait(10)
        self.process = None

    def freeze(self):
        """Stops every thread, and waits until they are: each goes on until it is scheduled again."""
        self.process.send_signal(signal.SIGSTOP)
        threads = f"/proc/{self.process.pid}/task"
        wait_for(lambda: all(read(f"{threads}/{thread}/stat").rsplit(") ", 1)[1][0] == "T"
                             for thread in os.listdir(threads)), "a stopped daemon")

    def restart(self, **changes):
        self.stop()
        self.configure(**changes)
        self.start()


class Local(http.client.HTTPConnection):
    """HTTP over a UNIX socket."""

    def __init__(self, path):
        super().__init__("localhost", timeout=5)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(5)
        self.sock.connect(self.path)


def asked(path, target):
    try:
        with contextlib.closing(Local(path)) as connection:
            connection.request("GET", target)
            return connection.getresponse().status
    except OSError:
        return None


def wait_for(truth, what, process=None, seconds=10):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if truth():
            return
        if process is not None and process.poll() is not None:
            sys.exit(f"{what} ended with {process.returncode}")
        time.sleep(0.02)
    sys.exit(f"{what} was not there within {seconds} s")


class Answer:
    def __init__(self, response):
        self.status, self.headers, self.body = response.status, response.headers, response.read()


class Proxy:
    """A proxy on a port of loopback; `run(daemon)` of each kind starts it, to ask at that socket."""

    process = None

    def start(self, work, daemon):
        self.work, self.port = work, free_port()
        self.run(daemon)

    def runs(self, *command, **environment):
        with open(f"{self.work}/{self.name}.log", "ab") as log:
            self.process = subprocess.Popen(command, env=dict(os.environ, **environment), stderr=log)
        wait_for(self.listens, self.name, self.process)

    def listens(self):
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def stop(self):
        if self.process is not None:
            self.process.terminate()
            self.process.wait(10)
            self.process = None


class Playback:
    """The claims, for one proxy."""

    #: What the proxy answers when the daemon does not.
    undecided = 503

    def __init__(self, proxy):
        self.proxy, self.claims = proxy, Claims()

    # what viewers send

    def token(self, resource="TNT", *arguments, key="live"):
        made = subprocess.run(
            [MEDIATOKEN, "issue", "--key", f"{self.work}/{key}.private.pem", "--requestor", "REF30",
             "--resource", resource, "--form", "base64", *arguments], check=True, capture_output=True, text=True)
        return made.stdout.strip()

    def get(self, path, token=None, headers=(), method="GET", port=None):
        """One request on a connection of its own, its path exactly as given."""
        if token is not None:
            path += ("&" if "?" in path else "?") + "media_token=" + quote(token, safe="")
        connection = http.client.HTTPConnection("127.0.0.1", port or self.proxy.port, timeout=10)
        with contextlib.closing(connection):
            connection.putrequest(method, path, skip_accept_encoding=True)
            for name, value in headers:
                connection.putheader(name, value)
            connection.endheaders()
            return Answer(connection.getresponse())

    def status(self, *arguments, **named):
        return self.get(*arguments, **named).status

    def plays(self, folder, token=None, headers=()):
        """Fetches the playlist, and then every segment that it names; whether all of it arrived."""
        playlist = self.get(f"{folder}/index.m3u8", token, headers)
        if playlist.status != 200 or playlist.body != self.media["index.m3u8"]:
            return False
        segments = [line for line in playlist.body.decode().splitlines() if line and not line.startswith("#")]
        return segments == SEGMENTS and all(
            self.get(f"{folder}/{name}").body == self.media[name] for name in segments)

    def is_refused(self, text, wanted, path, token=None, **named):
        answer = self.get(path, token, **named)
        self.claims.claim(f"{text}: {wanted}", answer.status == wanted, answer.status)
        self.claims.claim(
            f"{text}: not a byte of media", not any(part[:64] in answer.body for part in self.media.values()))

    # the run

    def run(self):
        if not all(shutil.which(name) for name in self.proxy.programs):
            print(f"skipped: {', '.join(self.proxy.programs)} is missing")
            return 77
        # Short, because the path of a socket has at most 107 bytes.
        self.work = tempfile.mkdtemp(prefix="mt.", dir="/tmp")
        os.chmod(self.work, 0o755)
        try:
            self.prepare()
            self.proxy.start(self.work, self.daemon.socket)
            for part in (self.ordinary, self.asked_twice, self.paths, self.headers, self.no_answer, self.draining):
                part()
        finally:
            self.proxy.stop()
            if hasattr(self, "daemon"):
                self.daemon.stop()
            shutil.rmtree(self.work, ignore_errors=True)
        print(f"{self.proxy.name}: {self.claims.held} claims hold, {self.claims.broken} do not")
        return 0 if self.claims.broken == 0 and self.claims.held > 0 else 1

    def prepare(self):
        os.mkdir(f"{self.work}/keys")
        for name in ("live", "other"):
            subprocess.run([MEDIATOKEN, "keys", "generate", "--out", self.work, "--name", name], check=True,
                           capture_output=True)
        shutil.copy(f"{self.work}/live.pem", f"{self.work}/keys/live.pem")
        subprocess.run([MEDIATOKEN, "replay", "create", "--table", f"{self.work}/replay.table", "--capacity", "10000",
                        "--fresh"], check=True, capture_output=True)
        for folder in ("live/tnt", "live/tbs", "live/none", "trailers", "cheap"):
            shutil.copytree(MEDIA, f"{self.work}/media/{folder}")
        self.media = {}
        for name in ["index.m3u8", *SEGMENTS]:
            with open(os.path.join(MEDIA, name), "rb") as file:
                self.media[name] = file.read()
        self.daemon = Daemon(self.work, self.proxy.sample)
        self.daemon.start()

    # the parts

    def ordinary(self):
        claim = self.claims.claim
        claim("a trailer plays without a token", self.plays("/trailers"))
        token = self.token()
        claim("a valid token plays", self.plays("/live/tnt", token))
        self.is_refused("the same token again", 403, "/live/tnt/index.m3u8", token)
        self.is_refused("no token", 401, "/live/tnt/index.m3u8")
        self.is_refused("an empty token", 401, "/live/tnt/index.m3u8", "")
        self.is_refused("a token of another key", 403, "/live/tnt/index.m3u8", self.token(key="other"))
        self.is_refused("an expired token", 403, "/live/tnt/index.m3u8",
                        self.token("TNT", "--issue-time", "2026-01-01T00:00:00Z"))
        token = self.token("TBS")
        self.is_refused("a token for another resource", 403, "/live/tnt/index.m3u8", token)
        claim("which is not used up by that", self.plays("/live/tbs", token))
        self.is_refused("a path that no route covers", 403, "/live/none/index.m3u8", self.token())
        claim("a token in a header plays", self.plays("/live/tnt", headers=[("X-Media-Token", self.token())]))
        token = self.token()
        self.is_refused("a token in header and query", 403, "/live/tnt/index.m3u8", token,
                        headers=[("X-Media-Token", token)])
        claim("which is not used up by that either", self.plays("/live/tnt", token))
        claim("HEAD asks too", self.status("/live/tnt/index.m3u8", method="HEAD") == 401)

    def asked_twice(self):
        """What each proxy does in its own way."""
        self.proxy.asked_twice(self)

    def asks_twice(self, relay):
        """The status of a request whose first question was answered and whose answer was lost."""
        relay.questions, relay.drops = 0, 1
        found = self.status("/live/tnt/index.m3u8", self.token())
        self.claims.claim("a lost answer makes the proxy ask twice", relay.questions == 2, relay.questions)
        return found

    def paths(self):
        for path in ("/cheap/%2e%2e/live/tnt/index.m3u8", "/trailers/../live/tnt/index.m3u8",
                     "/trailers/%2e%2e/live/tnt/index.m3u8", "/trailers/..%2flive/tnt/index.m3u8",
                     "//live/tnt/index.m3u8", "/live//tnt/index.m3u8", "/live%2ftnt/index.m3u8",
                     "/trailers/..%5clive/tnt/index.m3u8", "/trailers\\..\\live\\tnt\\index.m3u8",
                     "/trailers/;/../live/tnt/index.m3u8", "/trailers/.%2e/live/tnt/index.m3u8",
                     "/trailers/%252e%252e/live/tnt/index.m3u8", "/live/tnt/index.m3u8%00.ts",
                     "/live/tnt/index.m3u8/.ts", "/live/tnt/index.m3u8;.ts", "/live/tnt/index.m3u8%3f.ts",
                     "/live/tnt/part.ts/../index.m3u8", "/live/tnt/./index.m3u8", "/%6cive/tnt/index.m3u8",
                     "/LIVE/tnt/index.m3u8"):
            answer = self.get(path)
            self.claims.claim(f"{path} lets nobody in", answer.status >= 400
                              and self.media["index.m3u8"] not in answer.body, answer.status)

    def headers(self):
        claim, path = self.claims.claim, "/live/tnt/index.m3u8"
        lies = [("X-Media-Resource", "TBS"), ("X-Media-Requestor", "OTHER"), ("X-Original-URI", "/trailers/index.m3u8"),
                ("X-Forwarded-Uri", "/trailers/index.m3u8"), ("X-Forwarded-Method", "GET"),
                ("X-Media-Token-Verdict", "VALID_TOKEN"), ("X-Media-Token-Resource", "TNT"),
                ("X-Media-Token-Identity", "-"), ("Content-Length", "0")]
        for name, value in lies:
            claim(f"a viewer's {name} lets nobody in", self.status(path, headers=[(name, value)]) == 401)
        claim("nor do all of them", self.status(path, headers=lies) == 401)
        claim("a token plays with all of them", self.plays("/live/tnt", self.token(), lies[:-1]))
        token = self.token()
        mine = [("X-Request-ID", "viewer-1")]
        claim("a viewer's own X-Request-ID", self.status(path, token, headers=mine) == 200)
        self.is_refused("makes no retry", 403, path, token, headers=mine)
        token = self.token()
        answer = self.get(path, headers=[("X-Media-Token", token), ("X-Media-Token", token)])
        claim("a repeated token header is refused, or read as the first of the two", answer.status in (400, 403)
              or (answer.status == 200 and self.proxy.takes_the_first_header), answer.status)
        claim("and a third use", self.status(path, headers=[("X-Media-Token", token)]) in
              ((403,) if answer.status == 200 else (200,)))

    def no_answer(self):
        claim, path = self.claims.claim, "/live/tnt/index.m3u8"
        token = self.token()
        self.daemon.stop()
        self.is_refused("the daemon is down", self.undecided, path, token)
        self.is_refused("a trailer too", self.undecided, "/trailers/index.m3u8")
        claim("segments are not asked for", self.status("/live/tnt/part0.ts") == 200)
        self.daemon.start()
        claim("when it is back the token plays", self.plays("/live/tnt", token))
        token = self.token()
        self.daemon.freeze()
        start = time.monotonic()
        self.is_refused("the daemon hangs", self.undecided, path, token)
        claim("which is known within five seconds", time.monotonic() - start < 5, time.monotonic() - start)
        self.daemon.process.send_signal(signal.SIGCONT)
        wait_for(lambda: asked(self.daemon.socket, "/livez") == 200, "mediatokend")
        os.rename(f"{self.work}/replay.table", f"{self.work}/away.table")
        time.sleep(1.1)  # the table's file is looked at once a second
        wait_for(lambda: asked(self.daemon.socket, "/readyz") == 503, "a lost table")
        self.is_refused("the table is gone: undecided", self.undecided, path, self.token())
        self.daemon.stop()
        os.unlink(f"{self.work}/away.table")
        subprocess.run([MEDIATOKEN, "replay", "create", "--table", f"{self.work}/replay.table", "--capacity", "10000",
                        "--fresh"], check=True, capture_output=True)
        self.daemon.start()
        claim("with a new table it plays", self.plays("/live/tnt", self.token()))

    def draining(self):
        """One daemon after another, viewers all the time: nobody is let in twice, and few are turned away."""
        statuses, tokens = [], [self.token() for _ in range(40)]
        for number, token in enumerate(tokens):
            if number % 10 == 5:
                self.daemon.process.send_signal(signal.SIGTERM)
            statuses.append(self.status("/live/tnt/index.m3u8", token))
            if number % 10 == 5:
                self.daemon.process.wait(10)
                self.daemon.start()
        self.claims.claim("through four drains every answer is 200 or undecided",
                          set(statuses) <= {200, self.undecided}, sorted(set(statuses)))
        self.claims.claim("most viewers play", statuses.count(200) >= 36, statuses.count(200))
        again = [self.status("/live/tnt/index.m3u8", token) for token in tokens]
        self.claims.claim("no token plays twice", all(
            second == 403 for first, second in zip(statuses, again) if first == 200), again)


class Relay:
    """Stands between proxy and daemon, and once lets a question through but not its answer."""

    def __init__(self, path, daemon):
        self.path, self.daemon, self.questions, self.drops = path, daemon, 0, 0
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(path)
        os.chmod(path, 0o666)
        self.listener.listen(16)
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.relay, args=(connection,), daemon=True).start()

    def relay(self, near):
        far = socket.socket(socket.AF_UNIX)
        # Either side may be restarted.
        with near, far, contextlib.suppress(OSError):
            far.connect(self.daemon)
            while True:
                question = near.recv(65536)
                if not question:
                    return
                far.sendall(question)
                answer = far.recv(65536)
                self.questions += 1
                if self.drops > 0:
                    self.drops -= 1
                    return
                near.sendall(answer)
