#!/usr/bin/env -S python3 -B
"""Video in a browser, behind nginx and HAProxy, as `examples/playback/run` starts them: its time advances on demand, live and encrypted
in the page's own player, and in hls.js, Video.js and the browser's own HLS; with low latency in hls.js, which sends CMCD. What the page's
buttons try is refused. What a proxy answers to each request is nginx.py's and haproxy.py's.

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
from another import Another
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

    def other(self, player, stream, media=None, more="{}"):
        """hls.js or Video.js. Its token is what window.token is then."""
        address = f"{media or self.started.media}live/tnt/{stream}/master.m3u8"
        self.tab.evaluate(f"""(async () => {{
          window.token = await decide('TNT');
          players.{player}(document.getElementById('video'), '{address}', window.token, {more});
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
    yield f"{proxy}: a text track plays by the article's lines", *text_track(page)
    another = Another(page.started)
    yield from low_latency(page, another)
    if proxy == "nginx":
        yield "nginx: a page without a site plays by the article's lines, without cookies", *without_site(page, another)
    yield from refusals(page)


def low_latency(page, held):
    """hls.js asks for each part before it is there, and gets it when it is: no loop. It sends CMCD, in headers and in the query."""
    for place, more in (("headers", "{cmcd: {useHeaders: true}}"), ("the query", "{cmcd: {}}")):
        page.open()
        before = len(held.asked())
        page.other("hls", "low", held.media, more)
        plays = page.plays(SECONDS)
        until(SECONDS, lambda: sum("_HLS_msn" in one for one in held.asked()[before:]) >= 6)
        asked = held.asked()[before:]
        reloads = [one for one in asked if one.startswith("low.m3u8?_HLS_msn")]
        others = [one for one in asked if one not in reloads and not one.endswith("?")]
        yield (f"{page.started.proxy}: hls.js plays with low latency and CMCD in {place}, and asks for each part once",
               plays and len(reloads) >= 6 and len(set(reloads)) == len(reloads) and not others
               and all(re.fullmatch(r"low[.]m3u8[?]_HLS_msn=\d+(&_HLS_part=\d+)?", one) for one in reloads)
               and sum(one.startswith("low.m3u8") for one in asked) <= len(reloads) + 2,
               (plays, page.tab.evaluate("window.failure"), asked))
        sent = [event["params"]["request"] for event in list(page.tab.events) if event["method"] == "Network.requestWillBeSent"]
        yield (f"{page.started.proxy}: hls.js sends CMCD in {place}",
               any("CMCD-Session" in one["headers"] if place == "headers" else "?CMCD=" in one["url"] for one in sent), sent[-3:])


def without_site(page, another):
    """A sandboxed frame sends `Origin: null`, as the page of a packaged application does. What it fetches is a playlist."""
    code = "".join(re.search(rf"(?ms)^#+ {re.escape(one)}\n.*?^```js\n(.*?)^```$", ARTICLE)[1] for one in ("In browsers", "Players without cookies"))
    code = code.replace("https://tv.media.example/live/tnt/index.m3u8", another.without_cookies + "live/tnt/low/master.m3u8") \
        .replace('"https://tv.media.example"', json.dumps(another.without_cookies.rstrip("/")))
    page.open()
    page.tab.evaluate(f"""decide('TNT').then((token) => {{
      window.addEventListener('message', (event) => window.told = event.origin + ' ' + event.data);
      const frame = document.createElement('iframe');
      frame.sandbox = 'allow-scripts';
      frame.srcdoc = `<script>const tell = (text) => parent.postMessage(text, '*'), newToken = () => ${{JSON.stringify(token)}};
        const webapis = {{avplay: {{open: (address) => fetch(address).then((answer) => answer.text()).then(tell, tell)}}}};
        (async () => {{ {code.replace("`", "")} }})().catch((error) => tell(String(error)))<\\/script>`;
      document.body.append(frame);
    }})""")
    until(SECONDS, lambda: page.tab.evaluate("window.told"))
    told = page.tab.evaluate("window.told") or ""
    return told.startswith("null #EXTM3U"), (told, page.tab.evaluate("location.href"))


def text_track(page):
    """What the article says to write, with the example's addresses."""
    element = re.search(r"(?ms)^## Text tracks\n.*?^```html\n(.*?)^```$", ARTICLE)[1].replace("https://cdn.media.example/", page.started.media)
    [work] = pathlib.Path(page.started.folder).iterdir()
    (work / "media/live/tnt/demand/en.vtt").write_text("WEBVTT\n\n00:00.000 --> 00:09.000\nA text\n")
    start = re.search(r"(?ms)^### In browsers\n.*?^```js\n(.*?)^```$", ARTICLE)[1]
    page.open()
    page.tab.evaluate(f"(async () => {{ {start} await start('{page.started.media}live/tnt/demand/master.m3u8', () => decide('TNT')); "
                      f"document.body.insertAdjacentHTML('beforeend', {json.dumps(element)}); }})()")
    shown = "[...document.querySelectorAll('track')].map((one) => one.track.cues?.[0]?.text ?? one.readyState).join()"
    until(SECONDS, lambda: page.tab.evaluate(shown) == "A text")
    return page.tab.evaluate(shown) == "A text", (page.tab.evaluate(shown), page.asked())


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
