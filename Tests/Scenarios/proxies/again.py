"""A viewer whose first answer brought nothing, or not all, comes again with the same token: the cookies of that answer suffice,
whatever its status. And a viewer whose token is in Authorization. A part of the scenarios in this folder."""
import concurrent.futures
import os

from machine import CONFIGURATION, ORIGIN, blocks, change
from scenario import check
from viewers import START, Viewers

LATER = "/live/tnt/later.m3u8"


class Again(Viewers):
    def again(self):
        self.not_there()
        self.origin_is_down()
        self.in_parts()
        self.at_once()

    def comes_again(self, text, token, first, path=START):
        """With the cookies of the first answer the same request plays; without them the token is used."""
        cookies = self.cookies_of(first)
        check(f"{text}: the first answer is {first.status}, with cookies",
              [name for name, _ in self.given(first).items()] == self.credential.names, str(first.headers))
        for _ in range(2):
            answer = self.get(path, token, cookies)
            check(f"{text}: the same request with these cookies plays",
                  answer.status == 200 and answer.body == self.media["index.m3u8"], str(answer.status))
        self.is_refused(f"{text}: the same request without cookies does not play", 403, path, token)

    def not_there(self):
        """The encoder is late."""
        token = self.token()
        first = self.get(LATER, token)
        check("a playlist that is not there yet: 404", first.status == 404, str(first.status))
        with open(f"/srv/media{LATER}", "wb") as file:
            file.write(self.media["index.m3u8"])
        self.comes_again("a playlist that is not there yet", token, first, LATER)
        os.unlink(f"/srv/media{LATER}")

    def origin_is_down(self):
        token = self.token()
        ORIGIN.stop()
        first = self.get(START, token)
        check("the origin is down: 502 or 503", first.status in (502, 503), str(first.status))
        ORIGIN.start()
        self.comes_again("an origin that was down", token, first)

    def in_parts(self):
        """Players that look at the beginning, or load twice, or have it already."""
        for text, headers in (("a request for a part", [("Range", "bytes=0-1")]), ("a prefetch", [("Sec-Purpose", "prefetch")]),
                              ("a request for what has not changed", [("If-Modified-Since", "Fri, 31 Dec 2100 23:59:59 GMT")])):
            token = self.token()
            first = self.get(START, token, headers)
            self.comes_again(text, token, first)

    def at_once(self):
        """Two requests before either is answered have no cookies yet, and a token is used once."""
        token = self.token()
        with concurrent.futures.ThreadPoolExecutor(2) as both:
            answers = sorted(both.map(lambda _: self.get(START, token), range(2)), key=lambda answer: answer.status)
        check("two requests with one token at once: one plays, and the other is refused",
              [one.status for one in answers] == [200, 403], str(answers))
        self.comes_again("two requests with one token at once", token, answers[0])

    def bearer(self):
        """As the article says it: in Authorization, where other credentials are no tokens."""
        written = [one for language in ("lua", "nginx") for one in blocks("### The token in Authorization", language)]
        new = {"Envoy": written[0].strip(), "nginx": written[1]}.get(self.proxy.name)
        if new is None:
            return
        old = {"Envoy": 'local headers, names = handle:headers(), {"cookie"}', "nginx": '  proxy_set_header X-Media-Token "";\n'}[self.proxy.name]
        self.proxy.stop()
        self.daemon.stop()
        change(self.proxy.site, (old, new if self.proxy.name == "Envoy" else old + new))
        change(CONFIGURATION, ('"tokenHeader": "X-Media-Token"', '"tokenHeader": "Authorization"'))
        self.daemon.start()
        self.start_proxy()
        token = self.token()
        for text in (f"Basic {token}", token, "Basic dmlld2VyOnBhc3N3b3Jk", "Bearer"):
            self.is_refused(f"Authorization: {text.split()[0][:8]} is no token", 401, START, headers=[("Authorization", text)])
        check("a token in Authorization: Bearer plays", self.plays("/live/tnt", headers=[("Authorization", f"Bearer {token}")]))
        self.is_refused("the same token in Authorization: Bearer again", 403, START, headers=[("Authorization", f"Bearer {token}")])
        self.is_refused("X-Media-Token, where the token is in Authorization", 401, START, self.token())
        check("the origin sees no Authorization", b"authorization:" not in self.wire.bytes().lower())
        self.proxy.stop()
        self.daemon.stop()
        self.proxy.put_files()
        change(CONFIGURATION, ('"tokenHeader": "Authorization"', '"tokenHeader": "X-Media-Token"'))
        self.daemon.start()
        self.start_proxy()
