"""Walks of the runbooks about the configuration, the log and the callers."""

import socket

from installed import CONFIGURATION, SETTINGS, SOCKET, ask, configure, fresh, metric, reason, scraped, sh, walks
from scenario import check, until


def down():
    def provoke():
        sh(f"sed -i 's/\"tenants\"/\"tenant\"/' {CONFIGURATION}; systemctl restart mediatokend", is_checked=False)

    def cure():
        walks.look("MediaTokenDown", 0, "mediatokend.json: tenant: unknown key")
        configure()
        walks.do("MediaTokenDown")

    fresh()
    walks.walk("MediaTokenDown", provoke, cure)


def nothing_allowed():
    no_provider = [{**SETTINGS["tenants"][0], "allowMVPDs": []}]

    def provoke():
        configure(tenants=no_provider)
        sh("systemctl reload mediatokend")
        check("a configuration that allows no provider is noticed", until(60, lambda: reason() == "nothing-allowed"))

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
        check("the metrics say that every request is let through", until(60, lambda: metric("mediatoken_observe_mode") == 1))

    fresh()
    walks.walk("MediaTokenObserves", provoke, lambda: walks.do("MediaTokenObserves"),
         lambda: metric("mediatoken_observe_mode") == 0)


def reload_failed():
    def provoke():
        sh(f"sed -i 's/\"tenants\"/\"tenant\"/' {CONFIGURATION}")
        check("a broken configuration is noticed",
              until(60, lambda: metric("mediatoken_last_reload_successful") == 0), sh("journalctl -o cat -u mediatokend -n 5"))

    def cure():
        walks.look("MediaTokenReloadFailed", 0, "mediatokend.json: tenant: unknown key")
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
        check("a caller with too many connections loses some", until(60, lambda: metric("mediatoken_http_crowded_out_total") > 0))

    def cure():
        walks.look("MediaTokenCallersWait", 0, r"mediatokend\.sock(?s:.*)\"connections\": 8")
        for connection in crowd:
            connection.close()
        configure()
        walks.do("MediaTokenCallersWait")

    fresh(limits={**SETTINGS["limits"], "connections": 8})
    well = scraped()
    provoke()
    bad = scraped()
    cure()
    walks.judge("MediaTokenCallersWait", well, bad)
