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
        check("every segment plays with the cookies of a start",
              all(self.get(f"/live/tnt/{name}", headers=mine).body == self.media[name] for name in SEGMENTS))
        check("HEAD of a segment passes with the cookies of a start", self.status(SEGMENT, headers=mine, method="HEAD") == 200)
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
        check("a start's cookies are for its path, as long as they live, and for no script",
              all(re.fullmatch(r"\w+" + wanted, one) for one in found), str(found))
        check("a start's cookies are what the article says", self.credential.is_as_documented(self.given(answer)), str(found))
        check("no cache keeps a start's cookies", answer.headers.get_all("Cache-Control") == ["no-store"], str(answer.headers))
        check("the daemon's own header with the cookies does not reach a viewer", answer.headers["X-Media-Token-Handover"] is None)
        check("the player's site may send a start's cookies", answer.headers.get_all("Access-Control-Allow-Origin") == [PLAYER]
              and answer.headers.get_all("Access-Control-Allow-Credentials") == ["true"], str(answer.headers))

    def copied(self, token):
        """An address that a viewer gave to another."""
        self.is_refused("a copied address of a playlist", 401, START)
        for name in SEGMENTS:
            self.is_refused(f"a copied address of a segment, {name}", 401, f"/live/tnt/{name}")
        for text, one in (("the token again", token), ("no token", None), ("a token of another key", self.token(key="other"))):
            answer = self.get(START, one)
            check(f"{text}: no cookie", answer.status in (401, 403) and answer.headers["Set-Cookie"] is None, str(answer.headers))
        answer = self.get(START, self.token(), method="HEAD")
        check("HEAD: no cookie, because nothing was used up", answer.headers["Set-Cookie"] is None, str(answer.headers))
        answer = self.get("/trailers/index.m3u8", self.token())
        check("what needs no token: no cookie", answer.status == 200 and answer.headers["Set-Cookie"] is None, str(answer.headers))
        check("what needs no token plays without cookies", self.plays("/trailers"))
        for text, cookies in (("no cookie", []), ("a cookie that ended", self.credential.cookies(ends_in=-2))):
            answer = self.get(SEGMENT, headers=cookies)
            check(f"{text}: the player is told to start again", answer.headers.get_all("X-Media-Token-Action") == ["new-token"],
                  str(answer.headers))
        self.by_a_segment()

    def by_a_segment(self):
        """A player whose cookies ended in the middle of a stream goes on where it was, with a new token."""
        token = self.token()
        answer = self.get(SEGMENT, token, self.credential.cookies(ends_in=-2))
        check("a segment with a token starts, and brings cookies", answer.status == 200 and answer.body == self.media["part0.ts"]
              and list(self.given(answer)) == self.credential.names, str(answer.headers))
        check("no cache keeps the cookies that came with a segment", answer.headers.get_all("Cache-Control") == ["no-store"])
        self.is_refused("a token that started by a segment", 403, SEGMENT, token)
        check("the cookies that came with a segment open the playlist", self.status(START, headers=self.cookies_of(answer)) == 200)

    def no_start(self, mine):
        """The playlist of a live stream, which a player asks for every few seconds."""
        for _ in range(2):
            answer = self.get(START, headers=mine)
            check("a playlist comes again with the cookies of a start",
                  answer.status == 200 and answer.body == self.media["index.m3u8"], str(answer.status))
            check("a cache asks each time before it gives a playlist that comes again",
                  answer.headers.get_all("Cache-Control") == ["private, no-cache"], str(answer.headers))
            check("a playlist that comes again brings no new cookies, so that they end",
                  answer.headers["Set-Cookie"] is None, str(answer.headers))
        self.whatever_token(mine)
        self.is_refused("another folder's playlist with good cookies", 401, "/live/tbs/index.m3u8", headers=mine)
        for method in ("POST", "PUT", "get", "GE"):
            for path in (START, SEGMENT):
                answer = self.get(path, headers=mine, method=method)
                check(f"{method} {path} with good cookies is refused",
                      answer.status >= 400 and self.has_no_media(answer.body), str(answer.status))

    def whatever_token(self, mine):
        """Players send their token with every request: good cookies open the same without it."""
        used, token = self.token(), self.token()
        check("a token is used before it comes along with good cookies", self.status(START, used) == 200)
        expired = self.token("TNT", "--issue-time", "2026-01-01T00:00:00Z")
        for text, one in (("a token", token), ("a used token", used), ("a token of another key", self.token(key="other")),
                          ("a token that expired", expired), ("a token for another resource", self.token("TBS")),
                          ("an empty token", ""), ("a text that is no token", "x")):
            for method in ("GET", "HEAD"):
                answer = self.get(START, one, mine, method=method)
                check(f"{method} with good cookies and {text} plays and starts nothing", answer.status == 200
                      and answer.headers["Set-Cookie"] is None and answer.headers["X-Media-Token-Reason"] is None, str(answer.headers))
            check(f"a segment plays with good cookies and {text}", self.status(SEGMENT, one, mine) == 200)
        check("a playlist plays with good cookies and two tokens",
              self.status(START, token, [*mine, ("X-Media-Token", used)]) == 200)
        self.is_refused("another folder's playlist with good cookies, and a token for another resource",
                        403, "/live/tbs/index.m3u8", token, headers=mine)
        check("a token that came along with good cookies is not used up", self.get(START, token).headers["Set-Cookie"] is not None)
        self.is_refused("a token that came along with good cookies, after it started", 403, START, token)
        for text, cookies in [("that ended", self.credential.cookies(ends_in=-2)),
                              *self.credential.forgeries(dict(pair.split("=") for pair in mine[0][1].split("; ")))]:
            self.is_refused(f"a used token and cookies {text}", 403, START, used, headers=cookies)
        token = self.token()
        answer = self.get(START, token, self.credential.cookies(ends_in=-2))
        check("a token and cookies that ended start, and bring new ones",
              answer.status == 200 and answer.headers["Set-Cookie"] is not None, str(answer.headers))
        self.is_refused("a token again that started next to cookies that ended", 403, START, token)
        token = self.token("TBS")
        answer = self.get("/live/tbs/index.m3u8", token, mine)
        check("a token and another folder's cookies start, and bring new ones",
              answer.status == 200 and answer.headers["Set-Cookie"] is not None, str(answer.headers))
        self.is_refused("a token again that started next to another folder's cookies",
                        403, "/live/tbs/index.m3u8", token, headers=mine)

    def two_keys(self):
        """While a new key follows an old one."""
        if not self.proxy.knows_two_keys:
            return
        old, new = self.credential.cookies(), self.credential.cookies(key=OTHER_KEY)
        check("a cookie of a key that is not known yet opens no segment",
              self.status(SEGMENT, headers=new) == 401)
        self.proxy.stop()
        put_back = self.proxy.add_key(OTHER_KEY)
        self.start_proxy()
        found = [self.status(SEGMENT, headers=cookies) for cookies in (old, new, [])]
        check("with two keys cookies of either open a segment, and no cookie does not",
              found == [200, 200, 401], str(found))
        for text, cookies in self.credential.forgeries(self.given(self.get(START, self.token()))):
            check(f"with two keys, of all forgeries only the other key opens a segment, cookies {text}",
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
                check(f"{folder}/{name} is not opened by the cookies of another folder",
                      answer.status >= 400 and self.has_no_media(answer.body), str(answer.status))
        for path in ("/live/tbs/part0.ts?/live/tnt/part0.ts", "/live/tbs/part0.ts#/live/tnt/", "/trailers/../live/tnt/part0.ts"):
            answer = self.get(path)
            check(f"{path} is not opened without cookies",
                  answer.status >= 400 and self.has_no_media(answer.body), str(answer.status))
        lies = [("X-Original-URI", SEGMENT), ("X-Forwarded-Uri", SEGMENT), ("X-Original-URL", SEGMENT), ("X-Rewrite-URL", SEGMENT),
                ("X-Envoy-Original-Path", SEGMENT)]
        self.is_refused("another folder's segment, by what a viewer calls its path",
                        401, "/live/tbs/part0.ts", headers=[*mine, *lies])
        theirs = self.cookies_of(self.get("/live/tbs/index.m3u8", self.token("TBS")))
        check("another folder's own cookies open its segment",
              self.get("/live/tbs/part0.ts", headers=theirs).body == self.media["part0.ts"])
        self.is_refused("a segment with another folder's cookies", 401, SEGMENT, headers=theirs)

    def forged(self, answer):
        """Each in the shape of good ones, which are let through."""
        check("cookies made from the daemon's key open a segment", self.status(SEGMENT, headers=self.credential.cookies()) == 200)
        ended = [("that have just ended", self.credential.cookies(ends_in=-2)), ("that ended long ago", self.credential.cookies(ends_in=-9 * LIFE))]
        for text, cookies in (*ended, *self.credential.forgeries(self.given(answer))):
            self.is_refused(f"cookies {text}", 401, SEGMENT, headers=cookies)
            again = self.get(START, headers=cookies)
            check(f"a playlist is not opened by cookies {text}", again.status in (401, 403) and self.has_no_media(again.body),
                  str(again.status))

    def kept(self, mine):
        """A cache between nginx and the viewers knows nothing of cookies."""
        answer = self.get(SEGMENT, headers=mine)
        check("only the viewer's own cache keeps a segment", answer.headers.get_all("Cache-Control") == ["private, no-cache"],
              str(answer.headers))
        check("the origin sees no cookie", b"cookie:" not in self.wire.bytes().lower())
        if self.proxy.checker:
            self.proxy.checker.terminate()
            self.proxy.checker.wait(60)
            self.is_refused("what checks the cookies is down", 503, SEGMENT, headers=mine)
            self.proxy.start_checker()
            self.await_port(8083, self.proxy.checker)
            check("a segment plays when what checks the cookies is up again", self.status(SEGMENT, headers=mine) == 200)
