"""The inspector's page in a browser: what a person does there, and what is on the page then."""

import base64
import json

#: Waits until what was asked is answered, and reads the page.
READ = """
new Promise((resolve, reject) => {
  const end = Date.now() + 50000;
  const [answer, status] = [document.getElementById('answer'), document.getElementById('status')];
  const all = (selector) => [...answer.querySelectorAll(selector)];
  const read = () => ({
    heading: answer.querySelector('h2')?.textContent ?? '', problem: status.textContent, text: answer.textContent,
    viewer: answer.querySelector('blockquote')?.textContent ?? '',
    green: answer.querySelector('h2.passed') !== null, alive: answer.querySelector('.alive') !== null,
    steps: all('ol > li').map((step) => [step.querySelector('.name').textContent, step.querySelector('.outcome').textContent]),
    open: all('details[open] .name').map((one) => one.textContent),
    notes: all('ol > li').map((step) => [...step.querySelectorAll('dt')].map((name) =>
      [name.textContent, name.nextElementSibling.textContent])),
    tags: [...new Set(all('*').map((one) => one.localName))],
    attributes: [...new Set(all('*').flatMap((one) => one.getAttributeNames()))],
    focus: document.activeElement.id, width: document.documentElement.scrollWidth, window: innerWidth,
    hacked: 'hacked' in window, title: document.title, scripts: document.scripts.length,
    cookies: document.cookie, stored: localStorage.length + sessionStorage.length,
  });
  const look = () => {
    if (!answer.hidden || status.textContent && !status.textContent.startsWith('Asking')) return resolve(read());
    if (Date.now() > end) return reject(new Error('no answer is shown'));
    setTimeout(look, 5);
  };
  look();
})
"""

#: Puts a question into the form as a person does who pastes it, and sends it.
ASK = """
(([token, requestor, resource, kind]) => {
  for (const [id, value] of Object.entries({token, requestor, resource, kind})) {
    const field = document.getElementById(id);
    field.value = value;
    field.dispatchEvent(new Event('input', {bubbles: true}));
  }
  document.querySelector('button[type=submit]').click();
})
"""

#: The contrast of every text that is shown, by WCAG 2.1's formula, and where it is.
CONTRASTS = """
(() => {
  const numbers = (color) => color.match(/[\\d.]+/g).map(Number);
  const light = (color) => numbers(color).slice(0, 3).map((part) => part / 255)
    .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
    .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
  const ground = (element) => {
    for (; element; element = element.parentElement) {
      const color = getComputedStyle(element).backgroundColor;
      if (numbers(color).length < 4 || numbers(color)[3] > 0) return color;
    }
    return 'rgb(0, 0, 0)';
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    if (!texts.currentNode.data.trim() || !element.checkVisibility() || element.localName === 'option') continue;
    const style = getComputedStyle(element);
    const [a, b] = [light(element.localName === 'text' ? style.fill : style.color), light(ground(element))].sort((a, b) => a - b);
    found.push([(b + 0.05) / (a + 0.05), `${element.localName}.${element.getAttribute('class')}`]);
  }
  return found;
})()
"""


class Page:
    def __init__(self, browser, origin, width=320, height=700):
        self.origin = origin
        self.tab = browser.tab(width, height)
        self.load()

    def load(self):
        self.tab.call("Page.navigate", url=self.origin + "/")
        self.tab.evaluate("""new Promise((resolve) => {
          const look = () => document.readyState === 'complete' && document.getElementById('token') ? resolve() : setTimeout(look, 5);
          look();
        })""")

    def resize(self, width, height):
        self.tab.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=True)

    def prefer(self, scheme, **features):
        features = {"prefers-color-scheme": scheme} | features
        self.tab.call("Emulation.setEmulatedMedia", features=[{"name": name, "value": value} for name, value in features.items()])

    def ask(self, token, requestor="", resource="", kind="resource"):
        """What the page shows of a token."""
        token = token.decode() if isinstance(token, bytes) else token
        self.tab.evaluate(f"{ASK}({json.dumps([token, requestor, resource, kind])})")
        return self.shown()

    def shown(self):
        return self.tab.evaluate(READ)

    def errors(self):
        """Those of the page; that an answer is no 200, the browser says by itself."""
        return [error for error in self.tab.errors() if not error.startswith("Failed to load resource")]

    def contrasts(self):
        return self.tab.evaluate(CONTRASTS)

    def press(self, key, **more):
        """A key of a keyboard; Tab moves on."""
        codes = {"Tab": 9, "Enter": 13, " ": 32}
        for kind in ("rawKeyDown", "char", "keyUp"):
            if kind != "char" or key != "Tab":
                self.tab.call("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=codes[key],
                              text={"Enter": "\r"}.get(key, key) if kind == "char" else "", **more)

    def focus(self):
        return self.tab.evaluate("document.activeElement.id || document.activeElement.textContent.slice(0, 20)")

    def picture(self, height):
        """The page as PNG. What is not in front may never be drawn."""
        self.tab.call("Page.bringToFront")
        size = self.tab.call("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": height, "scale": 1}
        return base64.b64decode(self.tab.call("Page.captureScreenshot", format="png", clip=clip, captureBeyondViewport=True)["data"])
