"""Viewers of a proxy that asks mediatokend: what they send, and whether it plays. A part of the scenarios in this folder."""
import contextlib
import http.client
import os
import shutil
import socket
import subprocess
import time

from credentials import header
from machine import Daemon, run, wait_for
from scenario import ROOT, check

MEDIA = os.path.join(ROOT, "Tests/Fixtures/hls")
SEGMENTS = ["part0.ts", "part1.ts", "part2.ts"]
PORT = 8080
START = "/live/tnt/index.m3u8"
#: The site that the shipped configurations name as the player's.
PLAYER = "https://player.example"


class Answer:
    def __init__(self, response):
        self.status, self.headers, self.body = response.status, response.headers, response.read()


class Viewers:
    """What is done to one proxy: an object that can `start` and `stop`, and knows some of its ways."""

    def __init__(self, proxy):
        self.proxy, self.tokens = proxy, []

    def prepare(self):
        self.since = time.time()
        os.mkdir("/srv/keys")
        for name in ("live", "other"):
            run("mediatoken", "keys", "generate", "--out", "/srv/keys", "--name", name)
        shutil.copyfile("/srv/keys/live.pem", "/etc/mediatoken/keys/live.pem")
        os.chmod("/etc/mediatoken/keys/live.pem", 0o644)
        for folder in ("live/tnt", "live/tntx", "live/tbs", "live/none", "trailers", "cheap"):
            shutil.copytree(MEDIA, f"/srv/media/{folder}")
        shutil.copyfile(os.path.join(MEDIA, "part0.ts"), "/srv/media/live/tnt/film.mp4")
        shutil.copyfile(os.path.join(MEDIA, "index.m3u8"), b"/srv/media/trailers/\xc3\xa9 b.m3u8")
        self.media = {}
        for name in ["index.m3u8", *SEGMENTS]:
            with open(os.path.join(MEDIA, name), "rb") as file:
                self.media[name] = file.read()
        self.daemon = Daemon(self.proxy.sample)
        self.credential = self.proxy.credential()
        self.daemon.make_table()
        self.daemon.start()

    def start_proxy(self, port=PORT):
        self.proxy.start()
        self.await_port(port, self.proxy.process)

    def await_port(self, port, process):
        def listens():
            with socket.socket() as probe:
                return probe.connect_ex(("127.0.0.1", port)) == 0
        wait_for(listens, self.proxy.name, process)

    def token(self, resource="TNT", *arguments, key="live"):
        made = run("mediatoken", "issue", "--key", f"/srv/keys/{key}.private.pem", "--requestor", "REF30",
                   "--resource", resource, "--session-guid", os.urandom(16).hex(), "--form", "base64", *arguments)
        self.tokens.append(made)
        return made

    def get(self, path, token=None, headers=(), method="GET", port=PORT):
        """One request on a connection of its own, its path exactly as given."""
        headers = [*headers, *([("X-Media-Token", token)] if token is not None else [])]
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        with contextlib.closing(connection):
            named = [name.lower() for name, _ in headers]
            connection.putrequest(method, path, skip_accept_encoding=True, skip_host="host" in named)
            for name, value in headers:
                connection.putheader(name, value)
            connection.endheaders()
            return Answer(connection.getresponse())

    def statuses(self, *tokens):
        """Of requests that come one after another on one connection."""
        found = []
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", PORT, timeout=60)) as connection:
            for token in tokens:
                connection.request("GET", START, headers={} if token is None else {"X-Media-Token": token})
                found.append(Answer(connection.getresponse()).status)
        return found

    def status(self, *arguments, **named):
        return self.get(*arguments, **named).status

    def given(self, answer):
        """The cookies of an answer, each with its value."""
        return dict(one.split(";")[0].split("=", 1) for one in answer.headers.get_all("Set-Cookie") or [])

    def cookies_of(self, answer):
        """As a viewer sends them."""
        return header(**self.given(answer)) if self.given(answer) else []

    def plays(self, folder, token=None, headers=()):
        """Fetches the playlist, and then every segment that it names, with the cookies that it came with; whether all of it
        arrived."""
        playlist = self.get(f"{folder}/index.m3u8", token, headers)
        headers = [*headers, *self.cookies_of(playlist)]
        if playlist.status != 200 or playlist.body != self.media["index.m3u8"]:
            return False
        segments = [line for line in playlist.body.decode().splitlines() if line and not line.startswith("#")]
        return segments == SEGMENTS and all(
            self.get(f"{folder}/{name}", token, headers).body == self.media[name] for name in segments)

    def has_no_media(self, body):
        return not any(part[:64] in body for part in self.media.values())

    def is_refused(self, text, wanted, path, token=None, **named):
        answer = self.get(path, token, **named)
        check(f"{text}: {wanted}", answer.status == wanted, str(answer.status))
        check(f"{text}: not a byte of media", self.has_no_media(answer.body))

    def curl(self, *arguments, path=START):
        """The status that curl sees; nothing, if there is no answer."""
        return subprocess.run(
            ["curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "--path-as-is", "--max-time", "60", *arguments,
             f"http://127.0.0.1:{PORT}{path}"], capture_output=True, text=True, check=False).stdout

    def send(self, text):
        """A request as it is, broken or not; what is answered is not looked at."""
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", PORT), timeout=5) as connection:
            connection.sendall(text.encode())
            connection.shutdown(socket.SHUT_WR)
            while connection.recv(65536):
                pass
