"""Pages of other sites: what a browser asks before it sends anything, and which sites may read, as the article Proxies says. A part of the
scenarios in this folder."""
import re

from machine import article, blocks, change
from scenario import check
from viewers import PLAYER, START, Viewers

SECTION = "### Players in browsers"
OTHER = "https://www.example"
#: Each looks like a site that is named.
STRANGERS = ["null", "https://evil.example", "http://player.example", "https://player.example.evil.example", "https://evil-player.example",
             "https://player.example:8443", "https://player.example, https://evil.example", "https://playerxexample"]
#: What a fetch with everything that the article names asks for.
ASKS = [("Access-Control-Request-Method", "GET"), ("Access-Control-Request-Headers", "x-media-token,cmcd-session,traceparent")]


def listed(answer, name):
    """The elements of a header that has a list, in small letters."""
    return [one.strip().lower() for text in answer.headers.get_all(name) or [] for one in text.split(",")]


class Sites(Viewers):
    def sites(self):
        self.may_send()
        self.may_read()
        self.several()

    def may_send(self):
        rows = re.findall(r"(?m)^\| [^|]* \| (`[A-Za-z].*`) \|$", article(SECTION).split("### ")[0])
        named = [name.lower() for row in rows for name in re.findall(r"`([^`]+)`", row)]
        answers = {}
        for path in (START, "/live/tnt/part0.ts", "/live/tnt/none.m3u8", "/live/none/x", "/trailers/index.m3u8", "/", "/live/tnt/x.m3u8?_HLS_msn=x"):
            for headers in ([], self.cookies_of(self.get(START, self.token())), [("X-Media-Token", self.token())], [("X-Media-Token", "x")]):
                answer = self.get(path, headers=[("Origin", PLAYER), *ASKS, *headers], method="OPTIONS")
                dated = ("date", "x-request-id")
                answers[str([answer.status, *sorted((name.lower(), value) for name, value in answer.headers.items() if name.lower() not in dated)])] = path
        check("a preflight's answer is the same whatever is there, and with whatever token and cookies", len(answers) == 1, str(answers))
        check("a preflight allows what the article names, and nothing else", len(named) == 26 and
              sorted(listed(answer, "Access-Control-Allow-Headers")) == sorted(named), f"{named} {answer.headers}")
        check("a preflight's answer is kept for two hours", answer.headers.get_all("Access-Control-Max-Age") == ["7200"], str(answer.headers))
        self.one_more()

    def one_more(self):
        """A header of the page's own, as the article says."""
        new, old = re.search(r"the one\s+line\s+with\s+`([^`]+)` in the proxy's file: write `([^`]+)` there", article(SECTION)).group(2, 1)
        self.proxy.stop()
        change(self.proxy.site, (old, new))
        self.start_proxy()
        answer = self.get(START, headers=[("Origin", PLAYER), *ASKS], method="OPTIONS")
        check("after the article's change a preflight allows one more header", "x-page" in listed(answer, "Access-Control-Allow-Headers"),
              str(answer.headers))
        self.proxy.stop()
        self.proxy.put_files()
        self.start_proxy()

    def may_read(self):
        text = re.search(r"(?s)\*\*What a script may read\*\*(.*?)\n\n", article(SECTION))[1]
        named = [name.lower() for name in re.findall(r"`([A-Za-z-]+)`", text) if name != "Access-Control-Expose-Headers"]
        mine = self.cookies_of(self.get(START, self.token()))
        for headers in (mine, []):
            answer = self.get(START, headers=[("Origin", PLAYER), *headers])
            check(f"a script may read what the article names: {answer.status}", len(named) == 11 and
                  sorted(listed(answer, "Access-Control-Expose-Headers")) == sorted(named), f"{named} {answer.headers}")
        sent = [("CMCD-Session", 'sid="a"'), ("traceparent", "00-1-2-01"), ("baggage", "a=" + "b" * 4000), ("If-None-Match", '"x"')]
        check("a token plays next to what a page's tracing sends", self.get(START, self.token(), sent).status == 200)
        check("tracing reaches the origin", b"traceparent: 00-1-2-01" in self.wire.bytes().lower())

    def several(self):
        """As the article says it, for two sites; the shipped file names one, whatever site asks."""
        for site in (OTHER, *STRANGERS):
            answer = self.get(START, self.token(), [("Origin", site)])
            check(f"{site}: the shipped file names its own site", answer.headers.get_all("Access-Control-Allow-Origin") == [PLAYER])
        self.proxy.stop()
        change(self.proxy.site, *self.proxy.several_sites(lambda language: blocks(SECTION, language)))
        self.start_proxy()
        mine = self.cookies_of(self.get(START, self.token()))
        for site in (PLAYER, OTHER, *STRANGERS, None):
            allowed = [site] if site in (PLAYER, OTHER) else None
            for method, headers in (("OPTIONS", ASKS), ("GET", []), ("GET", mine)):
                answer = self.get(START, headers=[*([("Origin", site)] if site else []), *headers], method=method)
                found = answer.headers.get_all("Access-Control-Allow-Origin")
                check(f"of two sites {site} {'may' if allowed else 'may not'} read: {method}",
                      found == allowed and "origin" in listed(answer, "Vary"), f"{answer.status} {answer.headers}")
        self.proxy.stop()
        self.proxy.put_files()
        self.start_proxy()
