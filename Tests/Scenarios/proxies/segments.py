"""Every segment needs the cookies that came with the playlist: what they open, and what opens nothing. A part of the scenarios in
this folder."""
import re

from credentials import LIFE, OTHER_KEY, PREFIX
from scenario import check
from viewers import PLAYER, SEGMENTS, START, Viewers

SEGMENT = "/live/tnt/part0.ts"


class Segments(Viewers):
    def segments(self):
        token = self.token()
        answer = self.get(START, token)
        self.attributes(answer)
        mine = self.cookies_of(answer)
        check("every segment comes with them",
              all(self.get(f"/live/tnt/{name}", headers=mine).body == self.media[name] for name in SEGMENTS))
        check("HEAD of a segment too", self.status(SEGMENT, headers=mine, method="HEAD") == 200)
        self.copied(token)
        self.no_start(mine)
        self.other_paths(mine)
        self.forged(answer)
        self.kept(mine)

    def attributes(self, answer):
        """What a browser is told."""
        found = answer.headers.get_all("Set-Cookie") or []
        wanted = rf"=[A-Za-z0-9._-]+; Path={PREFIX}; Max-Age={LIFE}; HttpOnly; Secure; SameSite=Lax"
        check("a start brings its cookies", [one.split("=")[0] for one in found] == self.credential.names, str(found))
        check("for this path, this long, and for no script", all(re.fullmatch(r"\w+" + wanted, one) for one in found), str(found))
        check("they are what the article says", self.credential.is_as_documented(self.given(answer)), str(found))
        check("and no cache keeps them", answer.headers.get_all("Cache-Control") == ["no-store"], str(answer.headers))
        check("the header that has them too is the daemon's alone", answer.headers["X-Media-Token-Handover"] is None)
        check("the player's site may send them", answer.headers.get_all("Access-Control-Allow-Origin") == [PLAYER]
              and answer.headers.get_all("Access-Control-Allow-Credentials") == ["true"], str(answer.headers))

    def copied(self, token):
        """An address that a viewer gave to another."""
        self.is_refused("a copied address of a playlist", 401, START)
        for name in SEGMENTS:
            self.is_refused(f"of a segment, {name}", self.proxy.without_cookie, f"/live/tnt/{name}")
        self.is_refused("the token instead", self.proxy.without_cookie, SEGMENT, self.token())
        for text, one in (("the token again", token), ("no token", None), ("a token of another key", self.token(key="other"))):
            answer = self.get(START, one)
            check(f"{text}: no cookie", answer.status in (401, 403) and answer.headers["Set-Cookie"] is None, str(answer.headers))
        answer = self.get(START, self.token(), method="HEAD")
        check("HEAD: no cookie, because nothing was used up", answer.headers["Set-Cookie"] is None, str(answer.headers))
        answer = self.get("/trailers/index.m3u8", self.token())
        check("what needs no token: no cookie", answer.status == 200 and answer.headers["Set-Cookie"] is None, str(answer.headers))
        check("and its segments need none", self.plays("/trailers"))
        for text, cookies in (("no cookie", []), ("one that ended", self.credential.cookies(ends_in=-2))):
            answer = self.get(SEGMENT, headers=cookies)
            check(f"{text}: the player is told to start again", answer.headers.get_all("X-Media-Token-Action") == ["new-token"],
                  str(answer.headers))

    def no_start(self, mine):
        """The playlist of a live stream, which a player asks for every few seconds."""
        for _ in range(2):
            answer = self.get(START, headers=mine)
            check("a playlist comes again with them", answer.status == 200 and answer.body == self.media["index.m3u8"],
                  str(answer.status))
            check("no cache keeps it", answer.headers.get_all("Cache-Control") == ["no-store"], str(answer.headers))
            check("nor are there new ones: they end", answer.headers["Set-Cookie"] is None, str(answer.headers))
        self.whatever_token(mine)
        self.is_refused("another folder's playlist", 401, "/live/tbs/index.m3u8", headers=mine)
        self.is_refused("a film", 401, "/live/tnt/film.mp4", headers=mine)
        for method in ("POST", "PUT", "get", "GE"):
            for path in (START, SEGMENT):
                answer = self.get(path, headers=mine, method=method)
                check(f"{method} {path} is refused", answer.status >= 400 and self.has_no_media(answer.body), str(answer.status))

    def whatever_token(self, mine):
        """Players send their token with every request: good cookies open the same without it."""
        used, token = self.token(), self.token()
        check("a token is used", self.status(START, used) == 200)
        expired = self.token("TNT", "--issue-time", "2026-01-01T00:00:00Z")
        for text, one in (("a token", token), ("a used one", used), ("one of another key", self.token(key="other")),
                          ("one that expired", expired), ("one for another resource", self.token("TBS")), ("no text", ""), ("text", "x")):
            for method in ("GET", "HEAD"):
                answer = self.get(START, one, mine, method=method)
                check(f"{method} with them and {text} plays and starts nothing", answer.status == 200
                      and answer.headers["Set-Cookie"] is None and answer.headers["X-Media-Token-Reason"] is None, str(answer.headers))
            check(f"a segment with them and {text}", self.status(SEGMENT, one, mine) == 200)
        check("two tokens", self.status(START, token, [*mine, ("X-Media-Token", used)]) == 200)
        self.is_refused("the token for another folder, and another resource", 403, "/live/tbs/index.m3u8", token, headers=mine)
        check("what came with them is not used up", self.get(START, token).headers["Set-Cookie"] is not None)
        self.is_refused("but by that start", 403, START, token)
        for text, cookies in [("that ended", self.credential.cookies(ends_in=-2)),
                              *self.credential.forgeries(dict(pair.split("=") for pair in mine[0][1].split("; ")))]:
            self.is_refused(f"a used token and cookies {text}", 403, START, used, headers=cookies)
        token = self.token()
        answer = self.get(START, token, self.credential.cookies(ends_in=-2))
        check("a token and cookies that ended start, and bring new ones",
              answer.status == 200 and answer.headers["Set-Cookie"] is not None, str(answer.headers))
        self.is_refused("and use it up", 403, START, token)
        token = self.token("TBS")
        answer = self.get("/live/tbs/index.m3u8", token, mine)
        check("so do another folder's cookies", answer.status == 200 and answer.headers["Set-Cookie"] is not None, str(answer.headers))
        self.is_refused("they too", 403, "/live/tbs/index.m3u8", token, headers=mine)

    def two_keys(self):
        """While a new key follows an old one."""
        if not self.proxy.knows_two_keys:
            return
        old, new = self.credential.cookies(), self.credential.cookies(key=OTHER_KEY)
        check("a cookie of a key that is not known yet", self.status(SEGMENT, headers=new) == self.proxy.without_cookie)
        self.proxy.stop()
        put_back = self.proxy.add_key(OTHER_KEY)
        self.start_proxy()
        found = [self.status(SEGMENT, headers=cookies) for cookies in (old, new, [])]
        check("with both keys either opens, and none does not", found == [200, 200, self.proxy.without_cookie], str(found))
        for text, cookies in self.credential.forgeries(self.given(self.get(START, self.token()))):
            check(f"with both keys, cookies {text}",
                  (self.status(SEGMENT, headers=cookies) == 200) == (text == "another key"), str(cookies))
        self.proxy.stop()
        put_back()
        self.start_proxy()

    def other_paths(self, mine):
        for folder in ("/live/tbs", "/live/tntx", "/live/none", "/cheap", "/LIVE/tnt", "//live/tbs", "/live//tbs", "/live/tnt/../tbs",
                       "/live/tnt/%2e%2e/tbs", "/live/tnt/.%2e/tbs", "/live/tnt/..%2ftbs", "/live/tnt/..%5ctbs", "/live/tnt/..;/tbs",
                       "/live/tnt/%252e%252e/tbs", "/live/tnt/./../tbs", "/live/tnt//../../tbs", "/live/%74bs", "/live/tnt\\..\\tbs",
                       "/trailers/../live/tbs", "http://127.0.0.1/live/tbs"):
            for name in ("part0.ts", "index.m3u8"):
                answer = self.get(f"{folder}/{name}", headers=mine)
                check(f"{folder}/{name} is not opened", answer.status >= 400 and self.has_no_media(answer.body), str(answer.status))
        for path in ("/live/tbs/part0.ts?/live/tnt/part0.ts", "/live/tbs/part0.ts#/live/tnt/", "/trailers/../live/tnt/part0.ts"):
            answer = self.get(path)
            check(f"nor is {path} without them", answer.status >= 400 and self.has_no_media(answer.body), str(answer.status))
        lies = [("X-Original-URI", SEGMENT), ("X-Forwarded-Uri", SEGMENT), ("X-Original-URL", SEGMENT), ("X-Rewrite-URL", SEGMENT),
                ("X-Envoy-Original-Path", SEGMENT)]
        self.is_refused("by what a viewer calls the path", self.proxy.without_cookie, "/live/tbs/part0.ts", headers=[*mine, *lies])
        theirs = self.cookies_of(self.get("/live/tbs/index.m3u8", self.token("TBS")))
        check("their own open them", self.get("/live/tbs/part0.ts", headers=theirs).body == self.media["part0.ts"])
        self.is_refused("and not ours", self.proxy.without_cookie, SEGMENT, headers=theirs)

    def forged(self, answer):
        """Each in the shape of good ones, which are let through."""
        check("cookies made from the daemon's key", self.status(SEGMENT, headers=self.credential.cookies()) == 200)
        ended = [("that have just ended", self.credential.cookies(ends_in=-2)), ("that ended long ago", self.credential.cookies(ends_in=-9 * LIFE))]
        for text, cookies in (*ended, *self.credential.forgeries(self.given(answer))):
            self.is_refused(f"cookies {text}", self.proxy.without_cookie, SEGMENT, headers=cookies)
            again = self.get(START, headers=cookies)
            check(f"nor is the playlist opened by cookies {text}", again.status in (401, 403) and self.has_no_media(again.body),
                  str(again.status))

    def kept(self, mine):
        """A cache between nginx and the viewers knows nothing of cookies."""
        answer = self.get(SEGMENT, headers=mine)
        check("only the viewer's own cache keeps a segment", answer.headers.get_all("Cache-Control") == ["private"], str(answer.headers))
        check("the origin sees no cookie", b"cookie:" not in self.wire.bytes().lower())
        if self.proxy.checker:
            self.proxy.checker.terminate()
            self.proxy.checker.wait(60)
            self.is_refused("what checks the cookies is down", 503, SEGMENT, headers=mine)
            self.proxy.start_checker()
            self.await_port(8083, self.proxy.checker)
            check("and up again", self.status(SEGMENT, headers=mine) == 200)
