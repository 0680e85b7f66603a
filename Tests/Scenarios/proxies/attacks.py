"""What viewers try, one proxy after another, and where their tokens go. A part of the scenarios in this folder. Cases 139 to 141,
163 and 178."""
import os
import re
import socket
from urllib.parse import quote

import leaks
from machine import TABLE, asked, wait_for
from scenario import check
from viewers import PORT, START, Viewers


class Attacks(Viewers):
    """None of these lets a viewer in, and none reveals a token."""

    def paths(self):
        token = self.token()
        for path in ("/cheap/%2e%2e/live/tnt/index.m3u8", "/trailers/../live/tnt/index.m3u8",
                     "/trailers/%2e%2e/live/tnt/index.m3u8", "/trailers/..%2flive/tnt/index.m3u8",
                     "//live/tnt/index.m3u8", "/live//tnt/index.m3u8", "/live%2ftnt/index.m3u8",
                     "/trailers/..%5clive/tnt/index.m3u8", "/trailers\\..\\live\\tnt\\index.m3u8",
                     "/trailers/;/../live/tnt/index.m3u8", "/trailers/.%2e/live/tnt/index.m3u8",
                     "/trailers/%252e%252e/live/tnt/index.m3u8", "/live/tnt/index.m3u8%00.ts",
                     "/live/tnt/index.m3u8%0a.ts", "/live/tnt/part.ts%0a",
                     "/live/tnt/index.m3u8/.ts", "/live/tnt/index.m3u8;.ts", "/live/tnt/index.m3u8%3f.ts",
                     "/live/tnt/index.m3u8;/x.ts", "/live/tnt;x/index.m3u8", "/trailers/;x", "/trailers;x/index.m3u8",
                     "/trailers/index.m3u8;x", "/trailers/index.m3u8%3bx", "/trailers/%3b/../../live/tnt/index.m3u8",
                     "/live/tnt/part.ts/../index.m3u8", "/live/tnt/./index.m3u8", "/%6cive/tnt/index.m3u8",
                     "/LIVE/tnt/index.m3u8", "/live/tnt/index.m3u8#.ts", "/live/tnt/index.m3u8?.ts", "/live/tnt/film.mp4?.ts"):
            answer = self.get(path)
            check(f"{path} lets no viewer in", answer.status >= 400 and self.has_no_media(answer.body), str(answer.status))
        for path in (START, "/trailers/../live/tnt/index.m3u8"):
            answer = self.get(f"http://127.0.0.1:{PORT}{path}")
            check("a request with a whole address as its path lets no viewer in",
                  answer.status in (400, 401, 403), str(answer.status))
        check("a token plays after all paths that let no viewer in", self.plays("/live/tnt", token))
        check("a name with escapes plays, if it has one reading", self.status("/trailers/%C3%A9%20b.m3u8") == 200)
        check("a trailer plays with a query in its address", self.status("/trailers/index.m3u8?x=1") == 200)

    def headers(self):
        lies = [("X-Media-Resource", "TBS"), ("X-Media-Requestor", "OTHER"), ("X-Original-URI", "/trailers/index.m3u8"),
                ("X-Forwarded-Uri", "/trailers/index.m3u8"), ("X-Forwarded-Method", "GET"),
                ("X-Original-Method", "GET"), ("X-Original-URL", "/trailers/index.m3u8"),
                ("X-Rewrite-URL", "/trailers/index.m3u8"), ("X-Envoy-Original-Path", "/trailers/index.m3u8"),
                ("X-Media-Token-Verdict", "VALID_TOKEN"), ("X-Media-Token-Resource", "TNT"), ("X-Media-Token-Use", "first"),
                ("X-Media-Token-Observe", "200"),
                ("X-Media-Token-Handover", "md5=x&expires=9999999999"),
                ("X-Media-Token-Identity", "-"), ("Content-Length", "0")]
        for name, value in lies:
            check(f"a viewer's {name} lets no viewer in", self.status(START, headers=[(name, value)]) == 401)
        check("a viewer's headers in the proxy's and the daemon's names, all at once, let no viewer in",
              self.status(START, headers=lies) == 401)
        check("a token plays with a viewer's headers in the proxy's and the daemon's names",
              self.plays("/live/tnt", self.token(), lies[:-1]))
        check("what a viewer calls an answer of the daemon does not reach the origin",
              b"VALID_TOKEN" not in self.wire.bytes() and b"x-media-token" not in self.wire.bytes().lower())
        token = self.token()
        mine = [("X-Request-ID", "viewer-1")]
        check("a token plays with a viewer's own X-Request-ID", self.status(START, token, headers=mine) == 200)
        self.is_refused("the same token again with a viewer's own X-Request-ID", 403, START, token, headers=mine)
        token, other = self.token(), self.token()
        found = self.statuses(None, token, None, token, other, None)
        check("one connection's requests are judged one by one", found == [401, 200, 401, 403, 200, 401], str(found))
        token, other = self.token(), self.token()
        for first, second in ((token, token), (token, other), (token, ""), ("", token), (token, "x"), ("x", token)):
            self.is_refused("two headers with tokens", 403, START, headers=[("X-Media-Token", first), ("X-Media-Token", second)])
        for name in ("x-media-token", "X-MEDIA-TOKEN"):
            self.is_refused("two headers with tokens, one in other letters", 403, START, other, headers=[(name, token)])
        check("tokens that came in two headers are not used up",
              self.status(START, token) == 200 and self.status(START, other) == 200)
        self.spellings()
        upgrade = [("Connection", "Upgrade, HTTP2-Settings"), ("Upgrade", "h2c"), ("HTTP2-Settings", "AAMAAABkAAQAAP__")]
        check("an Upgrade lets no viewer in", self.status(START, headers=upgrade) >= 400)
        self.get("/live/tnt/part0.ts", headers=upgrade)
        self.get("/trailers/index.m3u8", headers=upgrade)
        check("an Upgrade does not reach the origin", b"upgrade:" not in self.wire.bytes().lower())

    def spellings(self):
        """Names that a program that speaks CGI reads as X-Media-Token: `-` becomes `_`, and with some all that is no letter or
        digit does."""
        marks = self.proxy.separators
        names = [f"{start}{end}" for start in (f"X{one}Media{two}Token" for one in marks for two in marks)
                 for end in ("", "-Verdict", "_Use") if f"{start}{end}" != "X-Media-Token"]
        token = self.token()
        for name in names:
            answer = self.get(START, headers=[(name, token)])
            check(f"a token in {name} is not heard", answer.status == 401, str(answer.status))
        others = [(name, "VALID_TOKEN") for name in names] + [("X-Others", "pass")]
        check("a token plays next to all other spellings of its header", self.plays("/live/tnt", token, others))
        check("a trailer plays next to all other spellings of the token's header", self.plays("/trailers", headers=others))
        sent = self.wire.bytes().lower()
        found = re.search(rb"x[%b]media[%b]token[^\r\n]*" % (marks.encode(), marks.encode()), sent)
        check("no spelling reaches the origin", b"x-others: pass" in sent and found is None, str(found))

    def hosts(self):
        """Another host, another HTTP: the same rules."""
        for host in ("other.example", "localhost", "mediatokend", "[::1]", "127.0.0.1:1", "127.0.0.1.", "a b", ""):
            answer = self.get(START, headers=[("Host", host)])
            check(f"host {host!r} without a token is a client's error",
                  400 <= answer.status < 500 and self.has_no_media(answer.body), str(answer.status))
            answer = self.get("/", headers=[("Host", host)])
            check(f"host {host!r} at / is a client's error", 400 <= answer.status < 500, str(answer.status))
        with socket.socket() as probe:
            check("no other address of this machine is listened on", probe.connect_ex(("127.0.0.2", PORT)) != 0)
        token = self.token()
        for version, wanted in self.proxy.without_token.items():
            found = self.curl(version)
            check(f"{version} without a token: {wanted}", found == wanted, found)
        if self.proxy.speaks_http2:
            statuses = [self.curl("--http2-prior-knowledge", "-H", f"X-Media-Token: {token}") for _ in range(2)]
            check("over HTTP/2 a token plays once", statuses == ["200", "403"], str(statuses))
            two = [self.token(), self.token()]
            found = self.curl("--http2-prior-knowledge", *(word for one in two for word in ("-H", f"X-Media-Token: {one}")))
            check("over HTTP/2 two tokens are refused", found == "403", found)
            for path in ("/trailers/../live/tnt/index.m3u8", "/live/tnt/index.m3u8;.ts", "/live/tnt/part.ts/../index.m3u8"):
                found = self.curl("--http2-prior-knowledge", path=path)
                check(f"over HTTP/2 {path} lets no viewer in", found in ("400", "401", "403"), found)

    def leaks(self):
        """A token never reaches a log or the origin, whatever goes wrong, and wherever a player put it."""
        opened = self.cookies_of(self.get(START, self.token()))

        def everywhere():
            for path in (START, "/live/tnt/part0.ts", "/trailers/none.m3u8", "/live/tnt/none.ts", "/live/none/x"):
                token = self.token()
                address = f"{path}?x=1&media_token={quote(token, safe='')}"
                self.get(path, token, opened)
                self.get(address)
                self.get(address, headers=opened)
                self.get(path, self.token(), [("X_Media_Token", token), ("X-Media_Token_", token)])
                self.get(path, self.token(), [("Referer", f"http://127.0.0.1:{PORT}{address}"), ("Cookie", "a=b")])
                self.get(address, method="OPTIONS")
                self.get(address, method="HEAD")
                self.get(address, method="POST")
                self.send(f"GET {address} HTTP/1.1\r\nHost: a\r\nX-Media-Token : {token}\r\n\r\n")
                self.send(f"GET {address} HTTP/1.1\r\nHost: a\r\nX-Media-Token: {token}\x00\r\n\r\n")
                self.send(f"GET {address} HTTP/9.9\r\nX-Media-Token: {token}\r\n\r\n")
                self.send(f"GET {address} HTTP/1.1\r\nHost: a\r\nX-Media-Token: {token * 80}\r\n\r\n")
                self.send(f"GET {address} HTTP/1.1\r\nHost: a\r\nX-Media-Token: {token}\r\n")
                self.send(f"X-Media-Token: {token}\r\n\r\n")
                self.send(f"{token}\r\n\r\n")

        everywhere()
        self.daemon.stop()
        everywhere()
        os.rename("/srv/media", "/srv/away")
        everywhere()
        self.daemon.start()
        everywhere()
        os.rename("/srv/away", "/srv/media")
        os.rename(TABLE, f"{TABLE}.away")
        wait_for(lambda: asked(self.daemon.socket, "/readyz") == 503, "a lost table")
        everywhere()
        os.rename(f"{TABLE}.away", TABLE)
        self.daemon.freeze()
        self.get(START, self.token())
        self.daemon.thaw()
        self.proxy.stop()

        # A cookie opens the stream as long as it lives.
        known = leaks.pieces(self.tokens) | leaks.pieces_of(
            value.encode() for name, value in (pair.split("=") for pair in opened[0][1].split("; ")) if name != "mt_expires")
        check("a token in any form would be found", all(
            leaks.found(known, b"x" * 40 + form[40:60] + b"x" * 40) for form in leaks.forms(self.tokens[-1])))
        sent = self.wire.bytes()
        check("the origin was asked, and every byte was seen", b"GET /live/tnt/index.m3u8 HTTP/1.1" in sent and not self.wire.lost)
        leaked = leaks.found(known, sent)
        check("no token reaches the origin", leaked is None, str(leaked))
        check("no Referer and no query reaches the origin",
              b"referer:" not in sent.lower() and b"media_token" not in sent)
        read = 0
        for path, data in leaks.files(["/var", "/run", "/etc", "/tmp"], self.since):
            leaked = leaks.found(known, data)
            if leaked is not None:
                check(f"no token reaches {path}", False, str(leaked))
            read += 1
        logs = b"".join(data for path, data in leaks.files(["/var/log"], self.since) if path in self.proxy.logs)
        check(f"no token reaches any of {read} files", read >= 3)
        check("the proxy's log tells that the daemon did not answer", re.search(self.proxy.says_no_answer, logs) is not None)
        check("the proxy's log tells that players send tokens where cookies suffice",
              re.search(rb"cookie:good token:present\b", logs) is not None)
        check("the proxy's log tells good cookies without a token, and a token without cookies",
              all(one in logs for one in (b"cookie:good token:-", b"cookie:- token:present")))
        check("the proxy's log tells which path was asked for, and how it ended", b"/live/tnt/index.m3u8" in logs
              and re.search(rb"[ :]403\b", logs) is not None, logs[-400:].decode(errors="replace"))
