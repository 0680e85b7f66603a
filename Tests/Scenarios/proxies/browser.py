#!/usr/bin/env -S python3 -B
"""Video in a browser, behind nginx and HAProxy, as `examples/playback/run` starts them: its time advances on demand, live and encrypted
in the page's own player, and in hls.js, Video.js and the browser's own HLS. What the page's buttons try is refused. What a proxy answers to
each request is nginx.py's and haproxy.py's.

With README_PICTURE=make in the environment it makes the README's picture again.
"""

import base64
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

HERE = pathlib.Path(__file__).parent
sys.path[1:1] = [sys.path[0] + "/../lib", sys.path[0] + "/../daemon/inspector"]

import pictures
from chromium import Browser
from processes import MEDIATOKEND, free_port, launch
from scenario import ROOT, check, count, finish, from_pypi, needs, path, until

needs("chromium", "nginx", "haproxy", "ffmpeg", "openssl")
EXAMPLE = ROOT / "examples/playback"
PICTURE = EXAMPLE / "see-it-play.png"
ARTICLE = (ROOT / "Sources/MediaTokenService/MediaTokenService.docc/Players.md").read_text()
STREAMS = ["demand", "live", "encrypted"]
#: How long a player may take to begin on a busy machine.
SECONDS = 60


class Started:
    """The example with one proxy."""

    def __init__(self, proxy):
        self.proxy, self.port, self.folder = proxy, free_port(4), path(proxy)
        os.mkdir(self.folder)
        environment = os.environ | {"PORT": str(self.port), "TMPDIR": self.folder, "MEDIATOKEND": MEDIATOKEND}
        # Ctrl-C ends it, also where the tests run in the background.
        self.process = launch(["env", "--default-signal=INT", EXAMPLE / "run", proxy], env=environment, text=True,
                              stdout=subprocess.PIPE, stderr=open(path(proxy + ".log"), "w"))
        self.said = self.process.stdout.readline()
        self.site, self.media = f"http://127.0.0.1:{self.port + 2}/", f"http://127.0.0.1:{self.port}/"

    def log(self):
        return open(path(self.proxy + ".log")).read()


class Page:
    """One page of the example in a tab, with other people's players."""

    def __init__(self, tab, started, scripts):
        self.tab, self.started, self.scripts = tab, started, scripts

    def open(self):
        self.tab.call("Network.clearBrowserCookies")
        self.tab.call("Page.navigate", url=self.started.site)
        until(SECONDS, lambda: self.tab.evaluate("document.body?.dataset.ready === 'yes'"))
        for script in ["sessionStorage.clear()", *self.scripts]:
            self.tab.evaluate(script)
        self.tab.events.clear()

    def press(self, button):
        self.tab.evaluate(f"document.getElementById({json.dumps(button)}).click()")

    def plays(self, seconds):
        """Whether the video's time goes on by a second."""
        now = "document.querySelector('video').currentTime"
        begun = until(seconds, lambda: self.tab.evaluate(f"window.failure || {now} > 0"))
        start = self.tab.evaluate(now)
        return begun and until(seconds, lambda: self.tab.evaluate(f"window.failure || {now} > {start} + 1")) \
            and not self.tab.evaluate("window.failure") or False

    def asked(self):
        """What went to the proxy besides preflights: the last part of each path, whether a token came along, and the status."""
        requests, statuses = {}, {}
        for event in list(self.tab.events):
            parameters = event["params"]
            if event["method"] == "Network.requestWillBeSent" and parameters["request"]["url"].startswith(self.started.media) \
                    and parameters["request"]["method"] != "OPTIONS":
                requests[parameters["requestId"]] = parameters["request"]
            elif event["method"] == "Network.responseReceived":
                statuses[parameters["requestId"]] = parameters["response"]["status"]
        return [(request["url"].rsplit("/", 1)[1], "X-Media-Token" in request["headers"], statuses.get(number))
                for number, request in requests.items()]

    def own(self, player, stream, seconds=SECONDS):
        """The page's own player, or the browser's, by the page's own button."""
        self.open()
        self.tab.evaluate(f"document.getElementById('player').value = '{player}'; document.getElementById('stream').value = '{stream}'")
        self.press("play")
        return self.judge(stream, seconds, every=player == "ours")

    def other(self, player, stream):
        """hls.js or Video.js. Its token is what window.token is then."""
        address = f"{self.started.media}live/tnt/{stream}/master.m3u8"
        self.tab.evaluate(f"""(async () => {{
          window.token = await decide('TNT');
          players.{player}(document.getElementById('video'), '{address}', window.token);
        }})()""")

    def judge(self, stream, seconds=SECONDS, every=True):
        """The video plays, no request was refused, and each had the token if the player sends it with every one."""
        plays = self.plays(seconds)
        reloads = stream != "live" or until(seconds, lambda: [name for name, _, _ in self.asked()].count("video.m3u8") > 1)
        asked = self.asked()
        holds = plays and reloads and len(asked) >= 4 and all(status in (200, 206, None) for _, _, status in asked) \
            and (not every or all(token for _, token, _ in asked)) and (stream != "encrypted" or any(name == "video.key" for name, _, _ in asked))
        return holds, (plays, reloads, self.tab.evaluate("window.failure"), asked)


def play(page):
    """Every player with every stream, and what must not work: each check with what was found."""
    proxy = page.started.proxy
    for stream in STREAMS:
        yield f"{proxy}: the page's player plays: {stream}", *page.own("ours", stream)
    for player, name, stream in (("hls", "hls.js", "live"), ("hls", "hls.js", "encrypted"), ("videojs", "Video.js", "demand")):
        page.open()
        page.other(player, stream)
        yield f"{proxy}: {name} plays with the token on every request: {stream}", *page.judge(stream)
    yield f"{proxy}: hls.js plays by the article's lines, with no token of its own", *as_documented(page, "hls.js")
    if page.tab.evaluate("document.createElement('video').canPlayType('application/vnd.apple.mpegurl')"):
        yield f"{proxy}: the browser's own HLS plays", *native(page)
        yield f"{proxy}: a video element plays by the article's lines", *as_documented(page, "A video element")
    yield from refusals(page)


def as_documented(page, heading):
    """What the article Players says to copy, in the page: the start, and the player's own lines."""
    code = "".join(re.search(rf"(?ms)^#+ {re.escape(one)}\n.*?^```js\n(.*?)^```$", ARTICLE)[1] for one in ("In browsers", heading))
    page.open()
    page.tab.evaluate(f"(async (address, newToken, video, startAgain) => {{ {code} }})('{page.started.media}live/tnt/demand/master.m3u8', "
                      "() => decide('TNT'), document.getElementById('video'), () => window.failure = 'started again')")
    return page.judge("demand", every=False)


def native(page):
    """Where this machine is slow the browser leaves out a segment, and goes on no more: then a viewer begins again."""
    for _ in range(5):
        holds, found = page.own("native", "demand", seconds=12)
        if holds:
            break
    return holds, found


def refusals(page):
    """The page's three buttons; the page stays as the picture shows it."""
    proxy = page.started.proxy
    page.own("ours", "demand")
    wanted = {"copied": "refused: 401, no-token, action new-token",
              "again": "first 200, then refused: 403, already-used, action new-token",
              "other": "refused: 403, other-resource, action new-token"}
    for button, text in wanted.items():
        page.press(button)
        shown = f"document.querySelector('output[for={button}]').textContent"
        until(SECONDS, lambda: page.tab.evaluate(shown))
        yield f"{proxy}: the page's button {button} shows the answer", page.tab.evaluate(shown) == text, page.tab.evaluate(shown)
    steps = page.tab.evaluate("[...document.querySelectorAll('#steps li')].map((item) => item.textContent)")
    yield f"{proxy}: the page says what happened", len(steps) == 4 and "opened by the cookies" in steps[3], steps


def picture(page):
    """The page while it plays, in few colours."""
    list(refusals(page))
    until(SECONDS, lambda: page.tab.evaluate("video.currentTime > 4"))
    page.tab.evaluate("video.controls = false")
    page.tab.call("Page.bringToFront")
    size = page.tab.call("Page.getLayoutMetrics")["cssContentSize"]
    clip = {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], 520), "scale": 1}
    png = base64.b64decode(page.tab.call("Page.captureScreenshot", format="png", clip=clip, captureBeyondViewport=True)["data"])
    said = subprocess.run(["ffmpeg", "-loglevel", "error", "-f", "png_pipe", "-i", "-", "-vf",
                           "split[a][b];[a]palettegen=max_colors=128[p];[b][p]paletteuse=dither=none", "-f", "image2pipe", "-c:v", "png", "-"],
                          input=png, check=True, capture_output=True)
    return said.stdout


def ends(started):
    """Ctrl-C, and what is left."""
    started.process.send_signal(signal.SIGINT)
    status = started.process.wait(SECONDS)
    left = subprocess.run(["pgrep", "-f", started.folder], capture_output=True, text=True).stdout.split()
    return status == 0 and os.listdir(started.folder) == [] and not left, (status, os.listdir(started.folder), left, started.log())


def others():
    """Scripts that make other people's players known to a page."""
    [site] = pathlib.Path(from_pypi("players", HERE / "browser/requirements.txt")).parent.glob("lib/python*/site-packages")
    [file] = site.glob("gradio/templates/frontend/assets/hls-*.js")
    module = file.read_text()
    module += ";globalThis.Hls = " + re.search(r"return (\w+)[.]isSupported[(][)]", module)[1]
    return [f"import(URL.createObjectURL(new Blob([{json.dumps(module)}], {{type: 'text/javascript'}}))).then(() => 0)",
            (site / "js/videojs/resources/video.min.js").read_text() + "; 0", (HERE / "browser/players.js").read_text() + "; 0"]


scripts = others()
begun = time.monotonic()
with ThreadPoolExecutor() as threads:
    examples = list(threads.map(Started, ("nginx", "haproxy")))
    for example in examples:
        check(f"{example.proxy}: the example starts", example.site in example.said, example.log())
    # Each in a browser of its own: a tab in the background begins no video.
    browsers = [Browser("chromium", path(f"profile-{example.proxy}")) for example in examples]
    pages = [Page(browser.tab(1104, 560), example, scripts) for browser, example in zip(browsers, examples)]
    for found in threads.map(lambda page: list(play(page)), pages):
        for text, holds, what in found:
            check(text, holds, what)
count(f"{browsers[0].call('Browser.getVersion')['product']}, hls.js {pages[0].tab.evaluate('Hls.version')}, "
      f"Video.js {pages[0].tab.evaluate('videojs.VERSION')}, {time.monotonic() - begun:.0f} s")
if os.environ.get("README_PICTURE") == "make":
    PICTURE.write_bytes(pictures.marked(picture(pages[0]), pictures.digest(EXAMPLE / "site")))
check("the README's picture is of the example's page, and small",
      PICTURE.exists() and pictures.mark_of(PICTURE.read_bytes()) == pictures.digest(EXAMPLE / "site")
      and PICTURE.stat().st_size < 100 * 1024 and "](examples/playback/see-it-play.png)" in (ROOT / "README.md").read_text(),
      "make it with README_PICTURE=make")
for browser in browsers:
    browser.close()
for example in examples:
    check(f"{example.proxy}: Ctrl-C ends all of the example and leaves nothing", *ends(example))
finish()
