"""Plays HLS through a proxy that asks mediatokend, both with the files of deploy/ as they are shipped and on a machine of
their own, and attacks it. A part of the scenarios in this folder; each of them says which proxy.

Exit status: 0 if every check holds, 1 if not, 77 if the scenario cannot run here.
"""
import os
import signal
import time
from urllib.parse import quote

import leaks
from again import Again
from attacks import Attacks
from lowlatency import LowLatency
from machine import ORIGIN, TABLE, Relay, asked, wait_for
from names import Names
from players import Players
from scenario import check, finish
from segments import Segments
from sites import Sites
from tls import Secured
from viewers import PLAYER, START


class Playback(Again, Attacks, LowLatency, Names, Players, Secured, Segments, Sites):
    """All checks of one proxy."""

    def run(self):
        self.prepare()
        self.wire = leaks.Wire(8081)
        self.start_proxy()
        try:
            for part in (self.ordinary, self.segments, self.names, self.low_latency, self.methods, self.sites, self.bearer, self.starts, self.without_cookies,
                         self.asked_twice, self.paths, self.headers, self.hosts, self.over_tls, self.two_keys, self.no_answer,
                         self.draining, self.another_origin, self.held_back, self.again, self.leaks):
                start = time.monotonic()
                part()
                print(f"({part.__name__}: {time.monotonic() - start:.1f} s)", flush=True)
        finally:
            self.proxy.stop()
            self.daemon.stop(signal.SIGKILL)
        return finish()

    def ordinary(self):
        check("a trailer plays without a token", self.plays("/trailers"))
        token = self.token()
        check("a valid token plays, and may be sent with each segment too", self.plays("/live/tnt", token))
        self.is_refused("the same token again", 403, START, token)
        self.is_refused("no token", 401, START)
        self.is_refused("an empty token", 401, START, "")
        self.is_refused("a token of another key", 403, START, self.token(key="other"))
        self.is_refused("an expired token", 403, START, self.token("TNT", "--issue-time", "2026-01-01T00:00:00Z"))
        token = self.token("TBS")
        self.is_refused("a token for another resource", 403, START, token)
        check("a token that was refused for another resource is not used up", self.plays("/live/tbs", token))
        self.is_refused("a path that no route covers", 403, "/live/none/index.m3u8", self.token())
        token = self.token()
        self.is_refused("a token in the address", 401, f"{START}?media_token={quote(token, safe='')}")
        check("a token in the address is not used up", self.status(START, token) == 200)
        answer = self.get(START, token)
        check("no cache keeps a refusal", answer.headers.get_all("Cache-Control") == ["no-store"], str(answer.headers))
        check("a player is told why its token is refused", answer.headers["X-Media-Token-Reason"] == "already-used",
              str(answer.headers["X-Media-Token-Reason"]))
        check("a player whose token is refused is told what comes next",
              answer.headers.get_all("X-Media-Token-Action") == ["new-token"], str(answer.headers))
        check("a script may read why a token is refused, and what comes next",
              "X-Media-Token-Action" in (answer.headers["Access-Control-Expose-Headers"] or ""),
              str(answer.headers))

    def methods(self):
        """Only what plays may spend."""
        token = self.token()
        asks = [("Origin", PLAYER), ("Access-Control-Request-Method", "GET"),
                ("Access-Control-Request-Headers", "x-media-token")]
        for path in (START, "/live/tnt/part0.ts", "/trailers/index.m3u8", "/"):
            answer = self.get(path, headers=asks, method="OPTIONS")
            check(f"a preflight for {path} is answered",
                  answer.status == 204 and answer.headers["Access-Control-Allow-Origin"] == PLAYER
                  and answer.headers["Access-Control-Allow-Credentials"] == "true"
                  and "x-media-token" in (answer.headers["Access-Control-Allow-Headers"] or "").lower()
                  and "GET" in (answer.headers["Access-Control-Allow-Methods"] or ""), f"{answer.status} {answer.headers}")
        check("a preflight with a token is answered like one without", self.status(START, token, asks, method="OPTIONS") == 204)
        opened = self.cookies_of(self.get(START, self.token()))
        for path, cookies, wanted in ((START, [], 401), (f"{START}?x", [], 401), ("/trailers/index.m3u8", [], 200),
                                      ("/live/tnt/part0.ts", opened, 200), ("/live/tnt/part0.ts", [], 401)):
            answer = self.get(path, headers=[*asks[:1], *cookies])
            check(f"a script may read the answer for {path}: {wanted}",
                  answer.status == wanted and answer.headers.get_all("Access-Control-Allow-Origin") == [PLAYER],
                  f"{answer.status} {answer.headers}")
        check("HEAD without a token: 401", self.status(START, method="HEAD") == 401)
        for _ in range(2):
            answer = self.get(START, token, method="HEAD")
            check("HEAD with a token passes, and has no body",
                  answer.status == self.proxy.head_of_a_good_token and answer.body == b"", str(answer.status))
        for method in ("POST", "PUT", "DELETE", "PATCH", "TRACE", "get", "GE"):
            answer = self.get(START, token, method=method)
            check(f"{method} with a token is refused", answer.status >= 400 and self.has_no_media(answer.body), str(answer.status))
        answer = self.get("/live/tnt/part0.ts", headers=opened, method="POST")
        check("POST of a segment is refused", answer.status >= 400 and self.has_no_media(answer.body), str(answer.status))
        for name in ("X-Original-Method", "X-Forwarded-Method", "X-HTTP-Method-Override"):
            check(f"a viewer's {name} is not heard", self.status(START, token, [(name, "POST")], method="HEAD")
                  == self.proxy.head_of_a_good_token)
        check("a token plays after all methods that spend nothing", self.plays("/live/tnt", token))
        token = self.token()
        check("a viewer cannot call a GET a HEAD", self.status(
            START, token, [("X-Original-Method", "HEAD"), ("X-Forwarded-Method", "HEAD")]) == 200)
        check("a GET that a viewer calls a HEAD spends its token", self.status(START, token) == 403)
        check("no OPTIONS reaches the origin", b"OPTIONS" not in self.wire.bytes())

    def asked_twice(self):
        """An answer that is lost on its way: most proxies ask again on another connection, if they had kept that one."""
        # Stopped first: a connection that it kept would lead past the relay.
        self.proxy.stop()
        with Relay(self.daemon) as relay:
            self.start_proxy()
            seen = set()
            # A process or thread of the proxy that kept no connection has nothing to lose, and it is not ours to choose which.
            for _ in range(40):
                for path in self.proxy.keeps_a_connection_after:
                    self.status(path)
                token = self.token()
                relay.lose_an_answer_about(token)
                start = time.monotonic()
                status = self.status(START, token)
                # One in which a limit of the proxy may have ended says nothing: it asks again for that, too, or gives up.
                if time.monotonic() - start < self.proxy.shortest_limit:
                    seen.add((relay.questions, status))
            check(f"a lost answer makes {self.proxy.name} ask "
                  f"{'twice, and the viewer plays' if self.proxy.asks_twice else 'once, and the viewer is not let in'}",
                  seen and seen <= {(2, 200), (1, 503)} and ((2, 200) in seen) == self.proxy.asks_twice, str(seen))
            self.proxy.stop()
        self.start_proxy()
        token = self.token()
        check("one request is one question to the daemon: the token plays once",
              [self.status(START, token) for _ in range(2)] == [200, 403])

    def no_answer(self):
        token, opened = self.token(), self.cookies_of(self.get(START, self.token()))
        self.daemon.stop()
        self.is_refused("the daemon is down", 503, START, token)
        answer = self.get(START, token)
        check("a player is told when to come back", answer.headers.get_all("Retry-After") == ["1"], str(answer.headers))
        check("a player is told to try the same token again",
              answer.headers.get_all("X-Media-Token-Action") == ["retry"], str(answer.headers))
        self.is_refused("a trailer while the daemon is down", 503, "/trailers/index.m3u8")
        check("a segment plays while the daemon is down", self.status("/live/tnt/part0.ts", headers=opened) == 200)
        check("a preflight is answered while the daemon is down", self.status(START, method="OPTIONS") == 204)
        self.daemon.start()
        check("when the daemon is back the token plays", self.plays("/live/tnt", token))
        self.daemon.freeze()
        waited = []
        # The best of some, because this machine may be busy; with a limit of a second HAProxy waited for four of them.
        while not waited or (min(waited) >= 2 and len(waited) < 10):
            start = time.monotonic()
            self.is_refused("the daemon hangs", 503, START, self.token())
            waited.append(time.monotonic() - start)
        check("a daemon that hangs is known within the second that the configuration says", min(waited) < 2, str(waited))
        self.daemon.thaw()
        os.rename(TABLE, f"{TABLE}.away")
        wait_for(lambda: asked(self.daemon.socket, "/readyz") == 503, "a lost table")
        self.is_refused("the table is gone: undecided", 503, START, self.token())
        self.daemon.stop()
        os.unlink(f"{TABLE}.away")
        self.daemon.make_table()
        self.daemon.start()
        check("with a new table a token plays", self.plays("/live/tnt", self.token()))

    def draining(self):
        """One daemon after another, viewers all the time: no viewer is let in twice, and few are turned away."""
        statuses, tokens, played = [], [], 0

        def comes(token):
            tokens.append(token)
            statuses.append(self.status(START, token))
            return statuses[-1] == 200

        for number in range(40):
            if number % 10 == 5:
                token = self.token()
                self.daemon.process.send_signal(signal.SIGTERM)
                comes(token)
                self.daemon.process.wait(60)
                self.daemon.start()
            else:
                # A busy machine takes longer than the proxy waits, and the viewer comes again.
                played += any(comes(self.token()) for _ in range(3))
        check("through four drains every answer is 200 or undecided",
              set(statuses) <= {200, 503}, str(sorted(set(statuses))))
        check("between four drains every viewer plays", played == 36, str(statuses))
        check("through four drains few viewers have to come again", len(statuses) <= 44, str(statuses))

        def comes_again(token):
            # Undecided is not refused, and not played either.
            for _ in range(5):
                if (status := self.status(START, token)) != 503:
                    break
            return status

        again = [comes_again(token) for first, token in zip(statuses, tokens) if first == 200]
        check("no token that played through four drains plays twice", set(again) == {403}, str(again))

    def another_origin(self):
        """An origin that says what is the proxy's to say."""
        if self.proxy.moves_its_origin:
            self.proxy.stop()
            self.proxy.move_origin()
            ORIGIN.start()
            self.start_proxy()
        opened = self.cookies_of(self.get(START, self.token()))
        for path, token, headers, cache in (
                (START, self.token(), [], "no-store"), (START, None, opened, "private, no-cache"),
                ("/live/tnt/part0.ts", None, opened, "private, no-cache"), ("/trailers/part0.ts", None, [], "max-age=60"),
                ("/trailers/index.m3u8", None, [], "no-store")):
            answer = self.get(path, token, headers)
            seen = [answer.headers.get_all(name) for name in ("Access-Control-Allow-Origin", "Cache-Control")]
            check(f"the origin's headers do not speak for the proxy: {path}", answer.status == 200
                  and seen == [[PLAYER], [cache]], f"{answer.status} {answer.headers}")
