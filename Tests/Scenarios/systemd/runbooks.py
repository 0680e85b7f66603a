"""Part of runbooks.sh: walks the runbooks, inside of the system that was booted for it."""

import json
import os
import re
import socket
import struct
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.argv[0] = "runbooks.sh"
sys.path.insert(0, "/put")

from alerts import RULES, fires, samples  # noqa: E402
from claim import claim, finish  # noqa: E402
from installed import (  # noqa: E402
    CONFIGURATION, KEYS, SETTINGS, SOCKET, TABLE, ask, configure, fresh, get, metric, new_key, reason, scraped, sh, tokens, until)

# Where runbook_url says that it is; the package puts it there.
PLACE = re.search(r'runbook_url: "file://(/[^#]*)#', open(RULES).read())[1]


def blocks(section):
    """What is to be typed in a section, up to the next heading."""
    text = re.search(rf"(?ms)^###+ {re.escape(section)}\n(.*?)(?=^##|\Z)", open(PLACE).read())
    return re.findall(r"(?ms)^```sh\n(.*?)^```$", text[1]) if text else []


def look(section, number, expected):
    """Types a block that only looks, and finds in what it prints what it is there for."""
    said = sh(blocks(section)[number], is_checked=False)
    claim(f"{section}: looking shows {expected}", re.search(expected, said), said[-600:])


def do(section, number=-1):
    """Types a block; everything in it must succeed."""
    result = subprocess.run(["bash", "-e", "-c", blocks(section)[number]], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            text=True, timeout=120)
    claim(f"{section}: what it says can be typed", result.returncode == 0, result.stdout[-600:])


def walk(alert, provoke, cure, is_well=lambda: reason() == "ready", name=None):
    well = scraped()
    provoke()
    bad = scraped()
    cure()
    claim(f"{name or alert}: the daemon is well again", until(60, is_well), f"{reason()}: {sh('journalctl -o cat -u mediatokend -n 5')}")
    holds, said = fires(alert, well, bad, scraped())
    claim(f"{name or alert}: the alert fires, and ends", holds, said)


def down():
    def provoke():
        sh(f"sed -i 's/\"tenants\"/\"tenant\"/' {CONFIGURATION}; systemctl restart mediatokend", is_checked=False)

    def cure():
        look("MediaTokenDown", 0, "mediatokend.json: line [0-9]+: tenant: unknown key")
        configure()
        do("MediaTokenDown")

    fresh()
    walk("MediaTokenDown", provoke, cure)


def lost():
    def provoke():
        os.rename(TABLE, TABLE + ".elsewhere")
        claim("the table is lost", until(10, lambda: reason() == "replay-memory-lost"))
        ask(tokens(5))

    def cure():
        look("MediaTokenUndecided", 0, "REPLAY_MEMORY_UNAVAILABLE(?s:.*)replay-memory-lost")
        look("MediaTokenNotReady", 0, "replay-memory-lost")
        look("replay-memory-lost", 0, r"replay\.table\.elsewhere")
        do("replay-memory-lost")

    for alert in ("MediaTokenNotReady", "MediaTokenUndecided"):
        fresh()
        walk(alert, provoke, cure, name=f"{alert} (a lost table)")


def clock():
    def provoke():
        with open(TABLE, "r+b") as file:
            file.seek(16)
            file.write(struct.pack("<Q", int(time.time()) + 3600))

    def cure():
        look("MediaTokenNotReady", 0, "clock-behind")
        look("clock-behind", 0, "clockLead: 3[56][0-9][0-9] s")
        do("clock-behind")

    fresh()
    walk("MediaTokenNotReady", provoke, cure, name="MediaTokenNotReady (a clock that is behind)")


def fill(share):
    """Makes this share of the entries live for ten minutes, as if so many tokens had been used."""
    with open(TABLE, "r+b") as file:
        file.seek(16)
        highest, buckets, _, _, epoch = struct.unpack("<5Q", file.read(40))
        word = 0xABCDE << 28 | (max(highest, int(time.time())) + 600 - epoch)
        file.seek(4096)
        file.write(struct.pack("<Q", word) * int(buckets * 8 * share))


def filling():
    def cure():
        look("MediaTokenReplayMemoryFilling", 0, "percentFull: 8[0-9]")
        do("MediaTokenReplayMemoryFilling")

    fresh()
    walk("MediaTokenReplayMemoryFilling", lambda: fill(0.42), cure)


def full():
    def cure():
        look("MediaTokenNotReady", 0, "replay-memory-full")
        do("MediaTokenReplayMemoryFilling")

    fresh()
    walk("MediaTokenNotReady", lambda: fill(1), cure, name="MediaTokenNotReady (a full table)")


def young():
    def provoke():
        sh(f"systemctl stop mediatokend-metrics.socket mediatokend; rm {TABLE}; "
           "systemctl start mediatokend-metrics.socket mediatokend")

    def cure():
        look("MediaTokenReplayMemoryNew", 0, "vouchesFrom: 20")

    fresh()
    walk("MediaTokenReplayMemoryNew", provoke, cure)


def nothing_allowed():
    nobody = [{**SETTINGS["tenants"][0], "allowMVPDs": []}]

    def provoke():
        configure(tenants=nobody)
        sh("systemctl reload mediatokend")
        claim("nothing is allowed", until(10, lambda: reason() == "nothing-allowed"))

    def cure():
        look("MediaTokenNotReady", 0, "nothing-allowed")
        configure()
        do("nothing-allowed")

    fresh()
    walk("MediaTokenNotReady", provoke, cure, name="MediaTokenNotReady (a configuration that allows nobody)")


def other_key():
    def provoke():
        new_key()
        claim("tokens of another key are refused", ask(tokens(2000, "/root/walk/new.private.pem")) == 0)

    def cure():
        look("MediaTokenRefusalsJump", 0, "signature-mismatch")
        look("MediaTokenIssuerChanged", 0, "/etc/mediatoken/keys/ours.pem")
        do("MediaTokenIssuerChanged")
        claim("tokens of the new key are valid", until(10, lambda: ask(tokens(2000, "/root/walk/new.private.pem")) == 2000))

    for alert in ("MediaTokenRefusalsJump", "MediaTokenIssuerChanged"):
        fresh()
        walk(alert, provoke, cure)


def date():
    def provoke():
        sh("openssl req -x509 -newkey rsa:2048 -nodes -keyout old.private.pem -out old.pem -days 9 -subj /CN=issuer 2>/dev/null")
        sh(f"install -m 644 old.pem {KEYS}/old.pem; systemctl reload mediatokend")
        claim("a key with a date is trusted", until(20, lambda: "mediatoken_key_not_after" in get("/metrics")))

    def cure():
        new_key()
        do("MediaTokenKeyNearsItsDate")
        os.remove(KEYS + "/old.pem")

    fresh()
    walk("MediaTokenKeyNearsItsDate", provoke, cure,
         lambda: "mediatoken_key_not_after" not in get("/metrics") and get("/metrics").count("mediatoken_key_info{") == 2)


def weak():
    fresh()
    sh("openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:1536 -out weak.private.pem 2>/dev/null;"
       "openssl pkey -in weak.private.pem -pubout -out weak.pem")
    fingerprint = re.findall("[0-9a-f]{64}", sh("mediatoken keys list --keys weak.pem", is_checked=False))[0]

    def provoke():
        sh(f"install -m 644 weak.pem {KEYS}/weak.pem")
        configure(allowRSA1024=[fingerprint])
        sh("systemctl reload mediatokend")
        claim("tokens of the weak key are valid", until(20, lambda: ask(tokens(50, "/root/walk/weak.private.pem")) == 50))

    def cure():
        look("MediaTokenWeakKey", 0, rf"1536(?s:.*){fingerprint}")
        os.remove(KEYS + "/weak.pem")
        configure()
        do("MediaTokenWeakKey")

    walk("MediaTokenWeakKey", provoke, cure, lambda: get("/metrics").count("mediatoken_key_info{") == 1)


def observes():
    def provoke():
        configure(auth={**SETTINGS["auth"], "observe": True})
        sh("systemctl reload mediatokend")
        claim("everybody is let in", until(20, lambda: metric("mediatoken_observe_mode") == 1))

    fresh()
    walk("MediaTokenObserves", provoke, lambda: do("MediaTokenObserves"),
         lambda: metric("mediatoken_observe_mode") == 0)


def reload_failed():
    def provoke():
        sh(f"sed -i 's/\"tenants\"/\"tenant\"/' {CONFIGURATION}")
        claim("a broken configuration is noticed",
              until(20, lambda: metric("mediatoken_last_reload_successful") == 0), sh("journalctl -o cat -u mediatokend -n 5"))

    def cure():
        look("MediaTokenReloadFailed", 0, "mediatokend.json: line [0-9]+: tenant: unknown key")
        configure()
        do("MediaTokenReloadFailed")

    fresh()
    walk("MediaTokenReloadFailed", provoke, cure, lambda: metric("mediatoken_last_reload_successful") == 1)


def log_dropped():
    def is_dropping():
        ask(b"nonsense\n" * 4000)
        return (metric("mediatoken_log_dropped_total") or 0) > 0

    def provoke():
        sh("systemctl kill -s STOP systemd-journald")
        claim("a journal that hangs drops lines", until(60, is_dropping))

    def cure():
        do("MediaTokenLogDropped")
        sh("journalctl --flush", is_checked=False)

    fresh()
    walk("MediaTokenLogDropped", provoke, cure)


def callers_wait():
    crowd = []

    def provoke():
        for _ in range(20):
            crowd.append(socket.socket(socket.AF_UNIX))
            crowd[-1].connect(SOCKET)
        # The one that was there before may still ask.
        claim("callers wait", until(20, lambda: b"accept_pauses_total 0\n" not in asking()), "")

    def asking():
        scraping.sendall(b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n")
        page = b""
        while b"mediatoken_http_requests_malformed_total " not in page or not page.endswith(b"\n"):
            page += scraping.recv(1 << 16)
        time.sleep(0.1)
        while len(page.split(b"\r\n\r\n", 1)[1]) < int(re.search(rb"Content-Length: (\d+)", page)[1]):
            page += scraping.recv(1 << 16)
        return page

    def cure():
        look("MediaTokenCallersWait", 0, r"mediatokend\.sock(?s:.*)\"connections\": 8")
        for connection in crowd:
            connection.close()
        configure()
        do("MediaTokenCallersWait")

    fresh(limits={**SETTINGS["limits"], "connections": 8})
    scraping = socket.socket(socket.AF_UNIX)
    scraping.settimeout(20)
    scraping.connect(SOCKET)
    well = scraped()
    provoke()
    # Prometheus is one of those that wait; what it would get is what the one gets that is connected.
    bad = samples(asking().decode())
    scraping.close()
    cure()
    claim("MediaTokenCallersWait: the daemon is well again", until(60, lambda: reason() == "ready"))
    holds, said = fires("MediaTokenCallersWait", well, bad, scraped())
    claim("MediaTokenCallersWait: the alert fires, and ends", holds, said)


def main():
    walks = (down, lost, clock, filling, full, young, nothing_allowed, other_key, date, weak, observes, reload_failed,
             log_dropped, callers_wait)
    for part in walks:
        part()
    script = open("/put/runbooks.py").read()
    walked = set(re.findall(r'(?:walk|fires)\("(\w+)"', script))
    walked |= {name for pair in re.findall(r'for alert in \("(\w+)", "(\w+)"\)', script) for name in pair}
    # Those of a fleet are daemon/fleet-runbooks.py's, with seats.
    alerts = {name for name in re.findall(r"alert: (\w+)", open(RULES).read()) if not name.startswith("MediaTokenFleet")}
    claim("every alert was walked", walked == alerts, str(walked ^ alerts))
    finish()


main()
