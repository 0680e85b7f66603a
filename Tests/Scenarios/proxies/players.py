"""What the article Players says: the script that starts in a browser, run by Node.js, and players that keep no cookies, which nginx
serves by an address with the credential in it. A part of the scenarios in this folder."""
import os
import subprocess

from machine import blocks, install
from scenario import check
from segments import SEGMENT
from viewers import SEGMENTS, START, Viewers

#: Prints how `start` ended, and how often it asked for a token.
CALLER = """
const [address, ...tokens] = process.argv.slice(2);
let asked = 0;
start(address, async () => tokens[asked++]).then((answer) => answer.status, (error) => error.message)
  .then((end) => console.log(end, asked));
"""
SITE = "/etc/nginx/conf.d/mediatoken-without-cookies.conf"
PORT = 8085


class Players(Viewers):
    def starts(self):
        """The script of the article, as it is there."""
        if self.proxy.name != "nginx":
            return
        with open("/tmp/start.js", "w", encoding="utf-8") as file:
            file.write(next(text for text in blocks("### In browsers", "js", "Players")) + CALLER)
        used, good = self.token(), self.token()
        check("a token is used before the article's script tries it", self.status(START, used) == 200)
        for text, tokens, wanted in (
                ("a good token", [self.token()], "200 1"), ("a used one, and a new one", [used, self.token()], "200 2"),
                ("two used ones: no loop", [used, used, self.token()], "already-used 2"),
                ("one of another key: no second try", [self.token(key="other"), self.token()], "signature-mismatch 1")):
            self.starts_with(text, tokens, wanted)
        self.daemon.stop()
        self.starts_with("no daemon: four tries", [good, self.token()], "503 1")
        self.daemon.start()
        self.starts_with("the same token when the daemon is back", [good], "200 1")

    def starts_with(self, text, tokens, wanted):
        ended = subprocess.run(["node", "/tmp/start.js", f"http://127.0.0.1:8080{START}", *tokens], capture_output=True, text=True,
                               check=False, timeout=120)
        check(f"the article's script, {text}: {wanted}", ended.stdout.strip() == wanted, ended.stdout + ended.stderr)

    def without_cookies(self):
        if self.proxy.name != "nginx":
            return
        self.proxy.stop()
        install("nginx/without-cookies.conf", SITE)
        self.start_proxy(PORT)
        token = self.token()
        first = self.get(START, token, port=PORT)
        address = first.headers["X-Media-Token-Address"] or ""
        check("a start has an address, which a script may read, and no cookies",
              address.endswith(START) and "X-Media-Token-Address" in first.headers.get_all("Access-Control-Expose-Headers")[0]
              and first.headers["Set-Cookie"] is None and first.body == self.media["index.m3u8"], str(first.headers))
        self.from_any_site(address)
        folder = address.removesuffix("/index.m3u8")
        for one in (None, token, self.token()):
            check("by a start's address everything plays, whatever token comes along",
                  self.get(address, one, port=PORT).body == self.media["index.m3u8"]
                  and all(self.get(f"{folder}/{name}", one, port=PORT).body == self.media[name] for name in SEGMENTS))
        credential = folder.removesuffix("/live/tnt")
        for text, path in (("another folder", f"{credential}/live/tbs/part0.ts"), ("no credential", SEGMENT),
                           ("a detour", f"{folder}/../tbs/part0.ts"), ("an escape", f"{folder}/%2e%2e/tbs/part0.ts"),
                           ("another time", f"{credential[:-1]}{(int(credential[-1]) + 1) % 10}{SEGMENT}"),
                           ("another sum", f"/~{'x' * 22}~{credential.split('~')[2]}{SEGMENT}"),
                           ("no sum", f"/~~{credential.split('~')[2]}{SEGMENT}"), ("twice", f"{credential}{credential}{SEGMENT}"),
                           ("a time that ended", "/~" + "~".join(pair.split("=")[1] for pair in self.credential.cookies(
                               ends_in=-2)[0][1].split("; ")) + SEGMENT), ("another cookie", f"/~{'x' * 22};mt_md5={'x' * 22}~1{SEGMENT}")):
            answer = self.get(path, port=PORT)
            check(f"an address without cookies, {text}, opens nothing",
                  answer.status in (400, 401, 403) and self.has_no_media(answer.body), str(answer.status))
        for text, one, wanted, action in (("the token again", token, 403, "new-token"), ("no token", None, 401, "new-token"),
                                          ("a token of another key", self.token(key="other"), 403, "report")):
            answer = self.get(START, one, port=PORT)
            check(f"{text}: {wanted}, and no address", answer.status == wanted and answer.headers["X-Media-Token-Address"] is None
                  and answer.headers.get_all("X-Media-Token-Action") == [action], str(answer.headers))
        check("the origin sees no credential", credential.split("~")[1].encode() not in self.wire.bytes())
        self.proxy.stop()
        os.unlink(SITE)
        self.start_proxy()

    def from_any_site(self, address):
        """An origin that is named to all gets no cookies and hears none, so a page reads what it could fetch by itself."""
        theirs = [("Access-Control-Request-Method", "GET"), ("Access-Control-Request-Headers", "x-media-token,range")]
        for path, token in ((START, self.token()), (START, None), (address, None), (f"{address}?_HLS_msn=1", None), ("/~x", None)):
            for origin in ("null", "https://any.example"):
                for method, headers in (("OPTIONS", theirs), ("GET", [])):
                    answer = self.get(path, token, [("Origin", origin), *headers], method=method, port=PORT)
                    check(f"without cookies a page of {origin} may read {path[:6]}: {method}, {answer.status}",
                          answer.headers.get_all("Access-Control-Allow-Origin") == ["*"]
                          and answer.headers["Access-Control-Allow-Credentials"] is None, str(answer.headers))
                    if method == "OPTIONS" and path != "/~x":
                        check("without cookies a preflight allows a token", answer.status == 204
                              and "X-Media-Token" in answer.headers["Access-Control-Allow-Headers"], str(answer.headers))
        mine = self.cookies_of(self.get(START, self.token()))
        self.is_refused("good cookies where none are heard", 401, SEGMENT, headers=mine, port=PORT)
        before = self.wire.bytes().count(f"GET {START}?_HLS_msn=1 ".encode())
        check("by an address without cookies a low-latency playlist is asked for", self.status(f"{address}?_HLS_msn=1&x", port=PORT) == 200
              and self.wire.bytes().count(f"GET {START}?_HLS_msn=1 ".encode()) == before + 1)
        check("by an address without cookies an unclear question is refused", self.status(f"{address}?_HLS_msn=x", port=PORT) == 400)
