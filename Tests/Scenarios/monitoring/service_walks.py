"""Walks of the runbooks about the configuration, the log and the callers."""

import re
import socket
import time

from alerts import samples
from installed import CONFIGURATION, SETTINGS, SOCKET, ask, configure, fresh, metric, reason, scraped, sh, walks
from scenario import check, until


def down():
    def provoke():
        sh(f"sed -i 's/\"tenants\"/\"tenant\"/' {CONFIGURATION}; systemctl restart mediatokend", is_checked=False)

    def cure():
        walks.look("MediaTokenDown", 0, "mediatokend.json: line [0-9]+: tenant: unknown key")
        configure()
        walks.do("MediaTokenDown")

    fresh()
    walks.walk("MediaTokenDown", provoke, cure)


def nothing_allowed():
    no_provider = [{**SETTINGS["tenants"][0], "allowMVPDs": []}]

    def provoke():
        configure(tenants=no_provider)
        sh("systemctl reload mediatokend")
        check("nothing is allowed", until(60, lambda: reason() == "nothing-allowed"))

    def cure():
        walks.look("MediaTokenNotReady", 0, "nothing-allowed")
        configure()
        walks.do("nothing-allowed")

    fresh()
    walks.walk("MediaTokenNotReady", provoke, cure, name="MediaTokenNotReady (a configuration that allows no provider)")


def observes():
    def provoke():
        configure(auth={**SETTINGS["auth"], "observe": True})
        sh("systemctl reload mediatokend")
        check("every request is let through", until(60, lambda: metric("mediatoken_observe_mode") == 1))

    fresh()
    walks.walk("MediaTokenObserves", provoke, lambda: walks.do("MediaTokenObserves"),
         lambda: metric("mediatoken_observe_mode") == 0)


def reload_failed():
    def provoke():
        sh(f"sed -i 's/\"tenants\"/\"tenant\"/' {CONFIGURATION}")
        check("a broken configuration is noticed",
              until(60, lambda: metric("mediatoken_last_reload_successful") == 0), sh("journalctl -o cat -u mediatokend -n 5"))

    def cure():
        walks.look("MediaTokenReloadFailed", 0, "mediatokend.json: line [0-9]+: tenant: unknown key")
        configure()
        walks.do("MediaTokenReloadFailed")

    fresh()
    walks.walk("MediaTokenReloadFailed", provoke, cure, lambda: metric("mediatoken_last_reload_successful") == 1)


def log_dropped():
    def is_dropping():
        ask(b"nonsense\n" * 4000)
        return (metric("mediatoken_log_dropped_total") or 0) > 0

    def provoke():
        sh("systemctl kill -s STOP systemd-journald")
        check("a journal that hangs drops lines", until(60, is_dropping))

    def cure():
        walks.do("MediaTokenLogDropped")
        sh("journalctl --flush", is_checked=False)

    fresh()
    walks.walk("MediaTokenLogDropped", provoke, cure)


def callers_wait():
    crowd = []

    def provoke():
        for _ in range(20):
            crowd.append(socket.socket(socket.AF_UNIX))
            crowd[-1].connect(SOCKET)
        # The one that was there before may still ask.
        check("callers wait", until(60, lambda: b"accept_pauses_total 0\n" not in asking()))

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
        walks.look("MediaTokenCallersWait", 0, r"mediatokend\.sock(?s:.*)\"connections\": 8")
        for connection in crowd:
            connection.close()
        configure()
        walks.do("MediaTokenCallersWait")

    fresh(limits={**SETTINGS["limits"], "connections": 8})
    scraping = socket.socket(socket.AF_UNIX)
    scraping.settimeout(60)
    scraping.connect(SOCKET)
    well = scraped()
    provoke()
    # Prometheus is one of those that wait; what it would get is what the one gets that is connected.
    bad = samples(asking().decode())
    scraping.close()
    cure()
    walks.judge("MediaTokenCallersWait", well, bad)
