"""Players of low-latency HLS ask for a playlist that is not there yet: what of such a question reaches the origin, and that the origin
may take its time. A part of the scenarios in this folder."""
import collections
import re
import time

from machine import ORIGIN
from scenario import check
from viewers import START, Viewers

#: What is asked, and what the origin gets, in the order of this table whatever that of the question is.
PASSED = [
    ("_HLS_msn=12&_HLS_part=3&_HLS_skip=YES", "_HLS_msn=12&_HLS_part=3&_HLS_skip=YES"),
    ("_HLS_skip=v2&_HLS_part=3&_HLS_msn=12", "_HLS_msn=12&_HLS_part=3&_HLS_skip=v2"),
    ("_HLS_part=0&_HLS_msn=0", "_HLS_msn=0&_HLS_part=0"), ("_HLS_msn=12", "_HLS_msn=12"), ("_HLS_part=3", "_HLS_part=3"),
    ("_HLS_skip=YES", "_HLS_skip=YES"), ("_HLS_part=3&_HLS_skip=YES", "_HLS_part=3&_HLS_skip=YES"),
    ("_HLS_skip=YES&_HLS_msn=18446744073709551615", "_HLS_msn=18446744073709551615&_HLS_skip=YES"),
    ("a=1&_HLS_msn=12&token=secret&_HLS_part=3&", "_HLS_msn=12&_HLS_part=3"), ("&&_HLS_msn=12&&", "_HLS_msn=12"),
    ("CMCD=br%3D3200%2Cnor%3D%22low.m3u8%253F_HLS_msn%253D13%22&_HLS_msn=12", "_HLS_msn=12"),
]
#: What is something else, and is left out.
LEFT_OUT = ["", "x", "token=secret", "CMCD=br%3D3200%2Cot%3Dv%2Csid%3D%226e2fb550%22", "_HLS_pathway=CDN-A&_HLS_throughput=5140000",
            "_HLS_msnx=1", "x_HLS_msn=1", "_hls_msn=1", "a;_HLS_msn=1", "=_HLS_msn=1", "?_HLS_msn=1", "a?_HLS_msn=1", "_HLS_start_offset=1",
            "%26_HLS_msn=1", "{media_query}", "{http.request.uri.query}", "$media_query", "%[path]", "/../../live/tbs/index.m3u8"]
#: One of the three, and not as it has to be.
UNCLEAR = ["_HLS_msn=" + "1" * 400, "_HLS_msn=" + "1" * 21, "_HLS_part=" + "0" * 21, "_HLS_msn=1&_HLS_msn=1", "_HLS_msn=1&_HLS_part=1&_HLS_msn=2",
           "_HLS_part=1&a&_HLS_part=1", "_HLS_skip=YES&_HLS_skip=v2", "%5fHLS_msn=1", "%5FHLS_msn=1", "_HLS%5fpart=1", "%5FHLS%5fskip=YES",
           "_HLS_msn=1&%5fHLS_msn=2", "_HLS_msn", "_HLS_msn=", "_HLS_part=&_HLS_msn=1", "_HLS_msn=-1", "_HLS_msn=+1", "_HLS_msn=1.5", "_HLS_msn=0x1",
           "_HLS_msn=%31", "_HLS_msn=1;x", "_HLS_msn=1%26token=secret", "_HLS_msn=1%0d%0aX:1", "_HLS_msn=1=1", "_HLS_msn=1?x", "_HLS_skip=",
           "_HLS_skip", "_HLS_skip=yes", "_HLS_skip=Y", "_HLS_skip=YE", "_HLS_skip=YESS", "_HLS_skip=v", "_HLS_skip=v22", "_HLS_skip=YES%20",
           "_HLS_skip=NO", "x=1&_HLS_skip=1", "_HLS_msn=1&_HLS_part=x", "_HLS_msn=1#_HLS_part=1"]
LONG = "CMCD=" + "br%3D3200%2C" * 850


class LowLatency(Viewers):
    def low_latency(self):
        mine = self.cookies_of(self.get(START, self.token()))
        # The third is called as Caddy's file calls what it puts into the query.
        for path, headers in ((START, mine), ("/live/tnt/INDEX.M3U8", mine), ("/live/tnt/media_query.m3u8", mine), ("/trailers/index.m3u8", [])):
            for asked, wanted in [*PASSED, *((one, "") for one in LEFT_OUT)]:
                found = self.asked_of_origin(f"{path}?{asked}", headers)
                check(f"{path}?{asked}: the origin is asked for {wanted or 'no query'}", found == [f"{path}?{wanted}".removesuffix("?")], str(found))
            for asked in UNCLEAR:
                found = self.asked_of_origin(f"{path}?{asked}", headers, 400)
                check(f"{path}?{asked[:60]}: 400, and the origin is not asked", found == [], str(found))
        for path in ("/live/tnt/part0.ts", "/live/tnt/index.m3u8x", "/live/tnt/m3u8"):
            for asked in ("_HLS_msn=12", "_HLS_msn=x", "a.m3u8?_HLS_msn=1"):
                found = self.asked_of_origin(f"{path}?{asked}", mine)
                check(f"{path}?{asked}: no playlist, no query", found == [path], str(found))
        self.spends_nothing()
        for text, token, headers in (("cookies", None, mine), ("a token", self.token(), [])):
            status = self.status(f"{START}?{LONG}&_HLS_msn=1", token, headers)
            check(f"10 KB of CMCD play with {text}, or are too long", status == (414 if self.proxy.name == "nginx" else 200), str(status))
        check("no part of a query that is left out reaches the origin", not re.search(
            rb"secret|CMCD=|token=|pathway|%5f", self.wire.bytes(), re.IGNORECASE))

    def asked_of_origin(self, path, headers, wanted=None):
        """The addresses that one request makes the origin see, with the status if that is not the wanted one."""
        before = self.addresses()
        status = self.status(path, headers=headers)
        found = list((self.addresses() - before).elements())
        return found if status == wanted or wanted is None and status in (200, 404) else (status, found)

    def addresses(self):
        return collections.Counter(found.decode().removesuffix("?") for found in re.findall(rb"(?m)^GET (\S+) HTTP/1\.[01]\r$", self.wire.bytes()))

    def spends_nothing(self):
        token = self.token()
        for asked in UNCLEAR:
            self.get(f"{START}?{asked}", token)
        answer = self.get(f"{START}?_HLS_msn=1&x", token)
        check("a token plays after all questions that were unclear", answer.status == 200 and self.given(answer), str(answer.status))
        check("a preflight with an unclear question is answered", self.status(f"{START}?_HLS_msn=x", method="OPTIONS") == 204)
        self.is_refused("a clear question, without cookies and token", 401, f"{START}?_HLS_msn=12")

    def held_back(self):
        """Longer than a proxy waits by itself."""
        mine = self.cookies_of(self.get(START, self.token()))
        ORIGIN.stop()
        ORIGIN.start(seconds=17)
        start = time.monotonic()
        answer = self.get(f"{START}?_HLS_msn=1", headers=mine)
        check("a playlist that the origin holds back for 17 s comes", answer.status == 200 and answer.body == self.media["index.m3u8"]
              and time.monotonic() - start >= 17, f"{answer.status} {time.monotonic() - start}")
        ORIGIN.stop()
        ORIGIN.start()
