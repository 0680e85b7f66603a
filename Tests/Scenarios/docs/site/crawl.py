"""Every page of the site as a browser of a phone's width shows it."""

import concurrent.futures
import functools
import http.server
import json
import pathlib
import threading
import urllib.parse

from chromium import Browser

WIDTH, HEIGHT = 390, 844
DESKTOP = 1400, 900
LOOK, SIDEBAR, FOUND = ((pathlib.Path(__file__).parent / name).read_text() for name in ("look.js", "sidebar.js", "found.js"))
# Goes to another page as a click on a link does: without loading the program again.
FOLLOW = """
document.querySelector('main h1').dataset.isOfThePageBefore = 'yes';
history.pushState({}, '', ADDRESS);
dispatchEvent(new PopStateEvent('popstate', {state: {}}));
"""

CHOOSE = "localStorage.setItem('developer.setting.preferredColorScheme', 'CHOSEN')"
BACKGROUND = "getComputedStyle(document.body).backgroundColor"
# What is in the field and found where a reader types before the search has its texts.
TYPED = """
(async () => {
  const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
  const frame = document.createElement('iframe');
  frame.src = location.pathname;
  document.body.append(frame);
  const inside = (one) => frame.contentDocument?.URL === 'about:blank' ? null : frame.contentDocument?.querySelector(one);
  while (!inside('input')) await pause(0);
  inside('input').value = 'descriptors';
  for (let turn = 0; turn < 600 && !inside('ol')?.children.length; turn++) await pause(50);
  return [inside('input').value, inside('ol').children.length > 0];
})()
"""
# The excerpts that are not whole words of a text.
EXCERPTS = """
(async () => {
  const texts = (await (await fetch('texts.json')).json()).map(({ text }) => ` ${text} `);
  return [...document.querySelectorAll('li')].map((item) => item.lastChild.textContent)
    .filter((shown) => !texts.some((text) => text.includes(` ${shown.replace(/^… /, '').replace(/ …$/, '')} `)));
})()
"""


class Site:
    """The site at a path of a server of our own, where nothing else is."""

    def __init__(self, folder, base):
        self.folder, self.base = folder, base
        #: What was asked for in vain.
        self.missing = missing = []

        class Handler(http.server.SimpleHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def translate_path(self, address):
                inside = address.startswith(base + "/")
                return super().translate_path(address[len(base):] if inside else "/is/not/there")

            def end_headers(self):
                # Otherwise a browser asks for the same scripts and styles again with every page.
                self.send_header("Cache-Control", "max-age=600")
                super().end_headers()

            def log_message(self, *_):
                pass

            def log_error(self, *_):
                missing.append(self.path)

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=str(folder)))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.origin = f"http://127.0.0.1:{server.server_port}"

    def pages(self):
        """Their paths, such as documentation/mediatoken/tokenformat; what only sends to another one is no page."""
        return sorted(file.parent.relative_to(self.folder).as_posix()
                      for file in self.folder.glob("documentation/*/**/index.html"))

    def address(self, page):
        return f"{self.origin}{self.base}/{page}/"

    def page(self, address):
        """The path of the page that an address leads to."""
        return urllib.parse.unquote(urllib.parse.urlsplit(address).path).removeprefix(self.base).strip("/")

    def crawl(self, program, profile):
        """What is found in each page, at the root, in the sidebars, and by the search."""
        browser = Browser(program, profile)
        pages = self.pages()
        rest, taking, found = iter(pages), threading.Lock(), {}

        def work(tab):
            while True:
                with taking:
                    page = next(rest, None)
                if page is None:
                    return
                found[page] = self.visit(tab, page)

        try:
            tabs = [browser.tab(WIDTH, HEIGHT) for _ in range(3)]
            desktop = browser.tab(*DESKTOP)
            with concurrent.futures.ThreadPoolExecutor(len(tabs) + 1) as pool:
                sidebars = pool.submit(lambda: {page: self.sidebar(desktop, page) for page in pages if page.count("/") < 3})
                list(pool.map(work, tabs))
            tabs[0].call("Page.navigate", url=f"{self.origin}{self.base}/")
            return found, rendered(tabs[0], self.address("documentation/overview")), sidebars.result(), self.search(tabs[0])
        finally:
            browser.close()

    def visit(self, tab, page):
        """Modules, types and articles are loaded as a whole; members are reached as by a link."""
        address = self.address(page)
        tab.events.clear()
        if page.count("/") > 2 and tab.is_rendered:
            tab.evaluate(FOLLOW.replace("ADDRESS", json.dumps(address)))
        else:
            tab.call("Page.navigate", url=address)
        found = rendered(tab, address)
        tab.is_rendered = found is not None
        found = found or {"title": "", "heading": "", "links": [], "ids": [], "width": 0, "outside": []}
        return found | {"requests": tab.requests(), "errors": tab.errors()}

    def sidebar(self, tab, page):
        """What is next to a page that is opened by its address."""
        address = self.address(page)
        tab.call("Page.navigate", url=address)
        return rendered(tab, address, SIDEBAR) or {"text": "", "entry": None, "namesObjectiveC": False}

    def search(self, tab):
        """What a search finds, as titles by addresses, and what the page does besides."""
        tab.events.clear()
        address = f"{self.origin}{self.base}/search/?q=descriptors+of+a+thread"
        tab.call("Page.navigate", url=address)
        found = rendered(tab, address, FOUND) or {}
        dark = []
        for chosen in ("dark", "light"):
            tab.evaluate(CHOOSE.replace("CHOSEN", chosen))
            tab.call("Page.reload")
            rendered(tab, address, FOUND)
            dark.append(tab.evaluate(BACKGROUND))
        return {"found": found, "typed": tab.evaluate(TYPED), "dark": dark, "excerpts": tab.evaluate(EXCERPTS),
                "requests": tab.requests(), "errors": tab.errors()}


def rendered(tab, address, look=LOOK):
    """What is found at this address once it is there; None if it never is."""
    look = look.replace("ADDRESS", f"new URL({json.dumps(address)}).href").replace("WIDTH", str(WIDTH))
    for _ in range(3):
        try:
            return tab.evaluate(look)
        except RuntimeError:  # The page before was still there when the question came.
            pass
    return None
