#!/usr/bin/env -S python3 -B
"""What Tab does at a terminal, in bash, zsh and fish, with the shipped files of deploy/completions: commands, options, files,
words, fingerprints of keys and requestors of the configuration."""

import fcntl
import os
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import termios
import time

sys.path.insert(1, sys.path[0] + "/../lib")

from processes import MEDIATOKEN, MEDIATOKEND
from scenario import ROOT, check, finish, needs, path, scratch

needs("bash", "zsh", "fish", "grep", "sed")
#: What an honest shell needs on a machine that does other things too.
PATIENCE = 120
PROGRAMS = {"mediatoken": os.path.realpath(MEDIATOKEN), "mediatokend": os.path.realpath(MEDIATOKEND)}

# The files as they are shipped, except for the place of the configuration: /etc belongs to the machine.
for file in (ROOT / "deploy/completions").iterdir():
    with open(path(file.name), "w") as copy:
        copy.write(file.read_text().replace("/etc/mediatoken/mediatokend.json", path("mediatokend.json")))
os.mkdir(path("bin"))
for name, program in PROGRAMS.items():
    os.symlink(program, path("bin/" + name))
with open(path("bin/words"), "w") as script:
    script.write("#!/bin/sh\necho '=be''gin='\nprintf '%s\\n' \"$@\"\necho '=e''nd='\n")
os.chmod(path("bin/words"), 0o755)
for name in ("adobe and more.pem", "development.pem"):
    shutil.copy(ROOT / "keys/development.pem", path(name))
shutil.copy(ROOT / "deploy/mediatokend.sample.json", path("mediatokend.json"))


def printed(program, *arguments):
    return subprocess.run([PROGRAMS[program], *arguments], capture_output=True, text=True, check=True).stdout


FINGERPRINT = re.search(r"^fingerprint: (\w+)$", printed("mediatoken", "keys", "list", "--keys", path("development.pem")), re.M)[1]
SHELLS = {
    "bash": (["bash", "--norc", "--noprofile", "-i"],
             "PS1='ready> '; bind 'set enable-bracketed-paste off' 'set page-completions off' 'set completion-query-items 0';"
             " source ./mediatoken.bash; source ./mediatokend.bash"),
    "zsh": (["zsh", "-f", "-i"],
            "PS1='ready> '; bindkey -e; unsetopt beep; setopt no_prompt_sp; LISTMAX=1000; fpath=($PWD $fpath);"
            " autoload -Uz compinit; compinit -u -D; zstyle ':completion:*' list-prompt ''"),
    "fish": (["fish", "--no-config", "-i"],
             "function fish_prompt; echo 'ready> '; end; function fish_greeting; end;"
             " source ./mediatoken.fish; source ./mediatokend.fish"),
}


class Terminal:
    """A shell at a terminal of its own, with the completions loaded."""

    def __init__(self, name):
        command, prepare = SHELLS[name]
        environment = {"PATH": path("bin") + ":" + os.environ["PATH"], "HOME": scratch, "TERM": "xterm", "LANG": "C.UTF-8",
                       "XDG_CONFIG_HOME": path("fish"), "XDG_DATA_HOME": path("fish")}
        self.seen = ""
        self.pid, self.master = pty.fork()
        if self.pid == 0:
            os.chdir(scratch)
            os.execvpe(command[0], command, environment)
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", 200, 160, 0, 0))
        # The echo of what is typed has quotes in it.
        self.send(prepare + "; echo pre''pared\r")
        self.wait_for("prepared")

    def send(self, text):
        os.write(self.master, text.encode())

    def shown(self):
        """What was shown and not waited for yet, without what moves the cursor and colours."""
        return re.sub(r"\x1b(\[[0-9;?=>]*[A-Za-z]|\][^\x07]*\x07|[()][A-Z0-9]|[=>])", "", self.seen)

    def until(self, condition):
        """Reads until a condition holds, and says whether it did."""
        end = time.monotonic() + PATIENCE
        while not condition():
            if not select.select([self.master], [], [], max(0, end - time.monotonic()))[0]:
                return False
            self.seen += os.read(self.master, 65536).decode(errors="replace")
        return True

    def wait_for(self, text):
        """What was shown up to a text, which must come."""
        if not self.until(lambda: text in self.shown()):
            raise TimeoutError(f"expected {text}, seen {self.shown()[-2000:]}")
        before, self.seen = self.shown().split(text)[0], ""
        return before

    def completed(self, typed):
        """The words of a line after Tab."""
        # The line is begun with a command that prints its words; what Tab did is in them.
        self.send(typed + "\t")
        self.send("\x01words \r")
        return self.wait_for("=end=").split("=begin=")[-1].split("\r\n")[1:-1]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.master)


CASES = [
    ("a command", "mediatoken ver", ["mediatoken", "verify"]),
    ("the second word of a command", "mediatoken keys l", ["mediatoken", "keys", "list"]),
    ("a command after help", "mediatoken help insp", ["mediatoken", "help", "inspect"]),
    ("an option", "mediatoken verify --any-req", ["mediatoken", "verify", "--any-requestor"]),
    ("an option of a command of two words", "mediatoken replay create --cap", ["mediatoken", "replay", "create", "--capacity"]),
    ("an option of the daemon", "mediatokend --check", ["mediatokend", "--check-config"]),
    ("a file", "mediatoken verify --keys dev", ["mediatoken", "verify", "--keys", "development.pem"]),
    ("a file with spaces", "mediatoken verify --keys ado", ["mediatoken", "verify", "--keys", "adobe and more.pem"]),
    ("a word", "mediatoken verify --unknown-fields rej", ["mediatoken", "verify", "--unknown-fields", "reject"]),
    ("the fingerprint of a key", f"mediatoken verify --keys development.pem --allow-rsa-1024 {FINGERPRINT[:3]}",
     ["mediatoken", "verify", "--keys", "development.pem", "--allow-rsa-1024", FINGERPRINT]),
    ("a requestor of the configuration", "mediatoken verify --requestor RE", ["mediatoken", "verify", "--requestor", "REF30"]),
    ("nothing where only the user knows", "mediatoken verify --resource dev", ["mediatoken", "verify", "--resource", "dev"]),
    ("no option of another command", "mediatoken keys list --any-req", ["mediatoken", "keys", "list", "--any-req"]),
]


for name in SHELLS:
    with Terminal(name) as terminal:
        for text, typed, expected in CASES:
            found = terminal.completed(typed)
            check(f"{name}: Tab completes {text}", found == expected, found)
    for program, *command in (("mediatoken", "verify"), ("mediatokend",)):
        options = set(re.findall(r"^  (--[a-z0-9-]+)", printed(program, *command, "--help"), re.M))
        with Terminal(name) as terminal:
            terminal.send(" ".join([program, *command]) + " --\t\t")
            holds = terminal.until(lambda: all(re.search(re.escape(text) + r"(?![\w-])", terminal.shown()) for text in options))
            check(f"{name}: Tab shows every option of {program}", options and holds, terminal.shown()[-2000:])
finish()
