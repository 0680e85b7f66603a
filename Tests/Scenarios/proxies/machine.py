"""The machine on which a scenario of the proxies runs: made by `enter`, and on it the packages, the daemon as they install
it, an origin, and a log that /dev/log goes to."""
import contextlib
import functools
import http.server
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time

from connection import Connection, Unanswered, Unsent
from scenario import ROOT, needs, scratch, skip

EXAMPLES = "/usr/share/doc/mediatokend/examples"
SOCKET = "/run/mediatokend/mediatokend.sock"
TABLE = "/var/lib/mediatoken/replay.table"
CONFIGURATION = "/etc/mediatoken/mediatokend.json"


def enter(*programs):
    """Runs the scenario again on a machine of its own, and ends with its status; on that machine it returns, with the packages
    installed."""
    if os.environ.get("ON_ITS_MACHINE") == "yes":
        os.makedirs("/var/lib/mediatoken")
        # The table refuses an overlay: a mapping of one may not be one memory.
        run("mount", "-t", "tmpfs", "-o", "mode=755", "tmpfs", "/var/lib/mediatoken")
        run("dpkg", "-i", *(f"/srv/packages/{name}" for name in os.listdir("/srv/packages") if re.match(r"mediatokend?_.*\.deb$", name)))
        return
    needs(*programs, "unshare", "chroot", "dpkg", "setpriv", "curl")
    if os.geteuid() != 0:
        skip("only root can make a machine to install packages on")
    packages = os.environ.get("MEDIATOKEN_PACKAGES")
    if not packages:
        sys.exit("expected the folder of the packages in MEDIATOKEN_PACKAGES")
    if not any(name.endswith(".deb") for name in os.listdir(packages)):
        skip(f"there are no packages in {packages}")
    inside = os.path.join("/srv/repository", os.path.relpath(os.path.realpath(sys.argv[0]), ROOT))
    ended = subprocess.run(
        ["unshare", "--mount", "--net", "--pid", "--fork", "--kill-child", "bash", f"{ROOT}/Tests/Scenarios/lib/machine.sh",
         scratch, packages, ROOT, "python3", "-B", inside], check=False)
    if ended.returncode == 77:
        skip("overlayfs cannot be mounted here")
    sys.exit(ended.returncode)


def article(section, name="Proxies"):
    """What an article says under a heading."""
    path = os.path.join(ROOT, f"Sources/MediaTokenService/MediaTokenService.docc/{name}.md")
    with open(path, encoding="utf-8") as file:
        return file.read().split(section)[1].split("\n## ")[0]


def blocks(section, language, name="Proxies"):
    """What it says there to type, in this language."""
    return re.findall(rf"(?ms)^```{language}\n(.*?)^```$", article(section, name))


def make_keys(number):
    """The keys of the cookies, as the article has it for each kind of proxy in turn."""
    subprocess.run(["bash", "-eu", "-o", "pipefail", "-c", blocks("### Keys of the cookies", "sh")[number]], check=True)


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def install(source, target):
    """What an operator does: `cp` of a file that the package ships; it is the repository's, byte for byte."""
    with open(f"{EXAMPLES}/{source}", "rb") as shipped, open(f"{ROOT}/deploy/{source}", "rb") as ours:
        if shipped.read() != ours.read():
            sys.exit(f"expected {EXAMPLES}/{source} to be deploy/{source}")
    os.makedirs(os.path.dirname(target), exist_ok=True)
    shutil.copyfile(f"{EXAMPLES}/{source}", target)


def change(path, *changes):
    """Each old text, which is in the file once, gives way to a new one."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    for old, new in changes:
        if text.count(old) != 1:
            sys.exit(f"expected {old!r} once in {path}, found it {text.count(old)} times")
        text = text.replace(old, new)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def wait_for(truth, what, process=None, seconds=60):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if truth():
            return
        if process is not None and process.poll() is not None:
            sys.exit(f"{what} ended with {process.returncode}")
        time.sleep(0.02)
    sys.exit(f"{what} was not there within {seconds} s")


#: The proxies wait for the daemon for a second, which must not pass because this machine is busy with something else.
URGENTLY = ("nice", "-n", "-15")


def started_as(user, *command, log, options=("--init-groups",)):
    """A process as systemd would start it for this user."""
    with open(log, "ab") as file:
        return subprocess.Popen(
            [*URGENTLY, "setpriv", "--reuid", user, "--regid", user, *options, "--no-new-privs", *command],
            stdin=subprocess.DEVNULL, stdout=file, stderr=file, cwd="/", umask=0o077,
            env=dict(os.environ, HOME="/nonexistent", XDG_DATA_HOME="/tmp", XDG_CONFIG_HOME="/tmp"))


class Proxy:
    """What most proxies have; each says where it differs, and has a `name`, its shipped `sample`, its `logs`, its `site`, and `start`;
    `without_token` is what curl sees in another HTTP without a token, 000 where what is not understood ends the connection."""
    speaks_http2, head_of_a_good_token, asks_twice, moves_its_origin = True, 200, True, False
    # What may be between the words of X-Media-Token (RFC 9110, section 5.6.2).
    separators = "-_.~"
    # Seconds after which it gives up or asks again by itself: its limit for connecting.
    shortest_limit = 0.5
    keeps_a_connection_after = []
    # What checks the cookies, if that is another program.
    checker, knows_two_keys = None, False
    plain_lines = []

    def several_sites(self, written):
        """The changes for them, of what the article has in a language."""
        return [(self.site_line, written(self.language)[0])]

    def stop(self):
        self.process.terminate()
        self.process.wait(60)


class Daemon:
    """mediatokend of the package, as its unit starts it, with a configuration that is shipped for a proxy."""

    def __init__(self, sample):
        install(sample, CONFIGURATION)
        self.socket, self.process = SOCKET, None

    def make_table(self):
        run("setpriv", "--reuid", "mediatokend", "--regid", "mediatokend", "--clear-groups", "mediatoken", "replay",
            "create", "--table", TABLE, "--capacity", "1000000", "--fresh")

    def start(self):
        self.process = started_as("mediatokend", "/usr/sbin/mediatokend", "--config", CONFIGURATION,
                                  log="/var/log/mediatokend.log", options=["--clear-groups"])
        wait_for(lambda: asked(self.socket, "/livez") == 200, "mediatokend", self.process)

    def stop(self, how=signal.SIGTERM):
        if self.process is None:
            return
        self.process.send_signal(how)
        self.process.wait(60)
        self.process = None

    def freeze(self):
        """Stops every thread, and waits until they are: each goes on until it is scheduled again."""
        self.process.send_signal(signal.SIGSTOP)
        threads = f"/proc/{self.process.pid}/task"

        def state(thread):
            with open(f"{threads}/{thread}/stat", encoding="utf-8") as file:
                return file.read().rsplit(") ", 1)[1][0]
        wait_for(lambda: all(state(thread) == "T" for thread in os.listdir(threads)), "a stopped daemon")

    def thaw(self):
        self.process.send_signal(signal.SIGCONT)
        wait_for(lambda: asked(self.socket, "/livez") == 200, "mediatokend")


def asked(path, target):
    """The status of the daemon's answer, or nothing."""
    try:
        with Connection(path) as connection:
            return connection.get(target).status
    except (Unsent, Unanswered):
        return None


class Relay:
    """Takes the daemon's socket. Of the questions about one token it lets the first through, but not its answer."""

    def __init__(self, daemon):
        self.aside, self.daemon, self.token, self.questions = daemon.socket + ".aside", daemon, None, 0

    def lose_an_answer_about(self, token):
        """What a proxy still asks about an earlier one counts no more."""
        self.token, self.questions = token.encode(), 0

    def __enter__(self):
        os.rename(self.daemon.socket, self.aside)
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(self.daemon.socket)
        shutil.copystat(self.aside, self.daemon.socket)
        shutil.chown(self.daemon.socket, "mediatokend", "mediatokend")
        self.listener.listen(16)
        threading.Thread(target=self.serve, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.listener.close()
        os.rename(self.aside, self.daemon.socket)

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
            far.connect(self.aside)
            while True:
                question = near.recv(65536)
                if not question:
                    return
                far.sendall(question)
                answer = far.recv(65536)
                if self.token and self.token in question:
                    self.questions += 1
                    if self.questions == 1:
                        return
                near.sendall(answer)


class Origin(http.server.SimpleHTTPRequestHandler):
    """Files, and headers that are the proxy's to say."""
    protocol_version = "HTTP/1.1"

    def handle(self):
        # A proxy may end a connection that it kept.
        with contextlib.suppress(ConnectionError):
            super().handle()

    def do_GET(self):
        time.sleep(self.server.seconds)
        super().do_GET()

    def end_headers(self):
        self.send_header("Access-Control-Allow-Origin", "https://origin.example")
        self.send_header("Cache-Control", "max-age=60")
        super().end_headers()

    def log_message(self, *_):
        pass


class OriginProcess:
    """An origin of files where the proxies' configurations expect it, whose connections end with it."""
    child = None

    def start(self, seconds=0):
        """Each answer takes so long."""
        with http.server.ThreadingHTTPServer(("127.0.0.1", 8081), functools.partial(Origin, directory="/srv/media")) as server:
            server.seconds = seconds
            self.child = os.fork()
            if self.child == 0:
                server.serve_forever()

    def stop(self):
        os.kill(self.child, signal.SIGKILL)
        os.waitpid(self.child, 0)
        self.child = None


ORIGIN = OriginProcess()


def keep_system_log(path):
    """/dev/log, kept in a file."""
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    listener.bind("/dev/log")
    os.chmod("/dev/log", 0o666)

    def receive():
        with open(path, "ab", buffering=0) as file:
            while True:
                file.write(listener.recv(65536) + b"\n")
    threading.Thread(target=receive, daemon=True).start()
