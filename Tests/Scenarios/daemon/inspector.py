#!/usr/bin/env -S python3 -B
"""The inspector's page in a browser: it shows what /v1/explain says, on a phone's width, in light and dark, by keys alone
and by the rules of axe-core; text of a token is never markup; and nothing is said to be accepted unless status and verdict say so.

With ARTICLE_PICTURES=make in the environment it makes the pictures of the article SupportDesk again.
"""

import base64
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request

sys.path[1:1] = [sys.path[0] + "/../lib", sys.path[0] + "/inspector"]

import pictures
from chromium import Browser
from daemon import Daemon
from page import Page
from processes import free_port
from scenario import ROOT, check, finish, from_pypi, needs, path
from tokens import GUID, Signer

needs("chromium")
os.environ["PIP_NO_DEPS"] = "1"

FILES = ROOT / "Sources/MediaTokenService/Inspector"
ARTICLE = ROOT / "Sources/MediaTokenService/MediaTokenService.docc"
#: What the answer is made of, whatever a token says.
TAGS = {"h2", "h3", "p", "blockquote", "dl", "dt", "dd", "code", "div", "ol", "li", "details", "summary", "span", "time", "svg", "rect",
        "line", "text", "button"}
MARKUP = "<script>hacked=1</script><img src=x onerror=hacked=1>"
WIDTHS = {"phone": (320, 640), "desk": (1200, 900)}


def axe():
    program = pathlib.Path(from_pypi("axe", pathlib.Path(__file__).parent / "inspector/requirements.txt"), "python")
    said = subprocess.run([program, "-c", "import axe_playwright_python as axe; print(axe.__path__[0])"], capture_output=True, text=True)
    return pathlib.Path(said.stdout.strip(), "axe.min.js").read_text()


def base64_of(token):
    return base64.b64encode(token).decode()


class Explained:
    """What the endpoint says about the same question."""

    def __init__(self, address, token, requestor="", resource="", kind="resource"):
        query = {name: text for name, text in (("requestor", requestor), (kind, resource)) if text}
        body = {"decision": json.loads(token)} if token.lstrip().startswith("{") else {"token": token}
        request = urllib.request.Request(f"http://{address}/v1/explain?{urllib.parse.urlencode(query)}", json.dumps(body).encode(),
                                         {"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                self.said = json.load(answer)
        except urllib.error.HTTPError as error:
            self.said = json.load(error)


def without_clock(text):
    span = r"-?(?:\d+ (?:ms|(?:day|hour|minute|second)s?) ?)+"
    return re.sub(rf"20\d\d-[-0-9T:.]+Z, {span}|missed by {span}", "", text)


def shows(name, page, said, shown):
    """The page says about a refusal what the endpoint does, and is fit to be read."""
    parts = [said] + ([said["inside"]] if "inside" in said else [])
    steps = [(f"{index + 1}. {one['step']}", one["outcome"].replace("-", " ")) for part in parts for index, one in enumerate(part["steps"])]
    open_ = said.get("notChecked", [])
    heading = said["headline"]
    failed = [name for name, outcome in steps if outcome in ("failed", "no answer")]
    notes = [[(one["name"], without_clock(plainly(one["value"]))) for one in step["notes"]]
             for part in parts for step in part["steps"]]
    holds = {
        "heading": without_clock(shown["heading"]) == without_clock(heading) and shown["focus"] == "verdict",
        "viewer": shown["viewer"] == ("" if said.get("reason") == "unserved-requestor" else said.get("viewer", ""))
        and bool(open_) == ("Before you tell the viewer anything, compare" in shown["text"]),
        "steps": [tuple(one) for one in shown["steps"]] == steps and shown["open"] == failed,
        "notes": [[(name, without_clock(text)) for name, text in step] for step in shown["notes"]] == notes,
        "code": all(said.get(name, "") in shown["text"] for name in ("adobeCode", "verdict", "fault", "action")),
        "markup": set(shown["tags"]) <= TAGS and not shown["hacked"] and shown["scripts"] == 1 and "style" not in shown["attributes"]
        and not any(one.startswith("on") for one in shown["attributes"]),
        "green": shown["green"] == (heading == "This token would be accepted.")
        and shown["alive"] == any("life" in part and all(one["outcome"] != "failed" for one in part["steps"]) for part in parts),
        "inside": ("The token inside" in shown["text"]) == ("inside" in said),
        "width": shown["width"] <= shown["window"],
        "nothing kept": shown["cookies"] == "" and shown["stored"] == 0,
        "no error": page.errors() == [] and shown["problem"] == "",
    }
    wrong = [what for what, is_so in holds.items() if not is_so]
    return check(f"{name}: the page says what the endpoint does", not wrong, f"{wrong} {page.errors()} {shown} {said}"[:1500])


#: Python's reading of what the page writes out.
UNSEEN = re.compile("[\u0000-\u001f\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000"
                    "\u3164\ufeff\uffa0\ufff0-\ufffb]|^ | $")


def plainly(text):
    return UNSEEN.sub(lambda found: f"U+{ord(found[0]):04X}", text) or "empty"


def refusals(page, signer, daemon, address):
    """One of each shape that an answer has; which refusal has which words is ExplainedTokenTests' and CauseTests'."""
    asked = ("REF30", "TNT", "resource")
    used = signer.issue(1)[0]
    check("the token that is to be refused as used is used once", daemon.ask(used).status == 200)
    for reason, text, *asked in (
            ("empty", "  ", *asked), ("signature-mismatch", used.decode().replace("TNT", "TNU"), *asked),
            ("unknown-form", json.dumps(base64_of(signer.issue(1)[0])), *asked), ("already-used", base64_of(used), *asked),
            ("expired", base64_of(signer.issue(1, ttl=60_000, age=600_000)[0]), *asked),
            ("other-resource", base64_of(signer.issue(1, resource="tnt")[0]), *asked),
            ("unserved-requestor", base64_of(signer.issue(1)[0]), "ref30", "TNT", "resource")):
        shown = page.ask(text, *asked)
        shows(reason, page, Explained(address, text, *asked).said, shown)
        check(f"a token inside is shown where there is one, and has no verdict: {reason}", shown["text"].count("1. armor") == 1 + (reason == "unknown-form")
              and "would be accepted" not in shown["text"], shown["text"])
    shown = page.ask("x", "REF30", "TNT")
    check("what does not apply is left out", "Life" not in shown["text"] and "Made for" not in shown["text"] and "Not looked up" not in shown["text"], shown["text"])


def good_ones(page, signer, address):
    token = base64_of(signer.issue(1)[0])
    shows("a good token", page, Explained(address, token).said, page.ask(token))
    shown = page.ask(base64_of(signer.issue(1, resource="TBS")[0]))
    check("what is not asked for is shown and not checked", "Resource: not checked" in shown["text"] and "TBS" in shown["text"]
          and "expectedany requestor, any resource" in shown["text"], shown)
    check("a token that is not compared is not said to be accepted, nor to be right", "would be accepted" not in shown["text"]
          and "VALID_TOKEN" not in shown["text"] and "Nothing is wrong" not in shown["text"]
          and "compare the requestor and the resource below" in shown["text"], shown)
    decision = {"decisions": [{"resource": "TNT", "serviceProvider": "OTHER", "mvpd": MARKUP, "authorized": True, "token": {
        "issuedAt": 1, "notBefore": 1, "notAfter": 2, "serializedToken": base64_of(signer.issue(1)[0])}}]}
    text = json.dumps(decision)
    shown = page.ask(text, "REF30", "TNT")
    shows("a decision", page, Explained(address, text, "REF30", "TNT").said, shown)
    check("a decision that differs from its token is said to",
          "It differs from the token" in shown["text"] and "OTHER" in shown["text"], shown["text"])
    twice = text.replace('"authorized": true', '"authorized": true, "authorized": true')
    check("a member that is there twice is not lost on the way", page.ask(twice)["problem"].startswith("There is no explanation"))
    check("half a decision is said to be none", "not one JSON object" in page.ask(text[:-3])["problem"])
    no_token = json.dumps({"decisions": [{"resource": "TNT", "authorized": False, "error": {"code": "authorization_denied_by_mvpd"}}]})
    shown = page.ask(no_token)
    said = Explained(address, no_token).said
    check("a decision without a token is refused before there was one, with Adobe's code and what to say",
          shown["heading"] == "Refused before there was a token: authorization_denied_by_mvpd (unsigned)" and shown["focus"] == "verdict"
          and shown["viewer"] == said["viewer"] and "gets a new token" in shown["text"] and shown["steps"] == [] and not shown["problem"], shown)
    shown = page.ask(json.dumps({"mvpdId": "M", "serializedToken": token}))
    check("an answer of REST API v1 is said to be one", shown["heading"] == "" and "value of its serializedToken" in shown["problem"], shown)
    # 19 kB fit into no address.
    items = "".join(f"<item>\n<title>{number}</title><guid>{'x' * 100}</guid></item>" for number in range(130))
    rss = f'<rss version="2.0"><channel><title>TNT</title>{items}</channel></rss>'
    long = signer.issue(1, resource=rss, form="base64")[0].decode()
    shown = page.ask(long, "REF30", rss.replace("<item>", "<item >"), "resourceDocument")
    check("a long document is compared, with its lines", shown["heading"] == "This token would be accepted.", shown["problem"])
    document = json.dumps({"decisions": [{"resource": rss, "authorized": True, "token": {"serializedToken": long}}]})
    shown = page.ask(document, "REF30", rss)
    check("a long document is compared next to a decision",
          shown["heading"] == "This token would be accepted.", shown["problem"] or shown["heading"])
    shown = page.ask(base64_of(signer.issue(1, resource="T\u039dT")[0]), "REF30", "TNT")
    check("a letter that looks like another is named", "character 2 is expected to be N (U+004E), and is \u039d (U+039D)" in shown["text"],
          shown["text"])
    shown = page.ask(base64_of(signer.issue(1, resource="TBS")[0]), "REF30", "TNT")
    check("how plain letters differ is not explained", "They differ" not in shown["text"], shown["text"])


def life_and_times(page, signer, address):
    """Where on the bar."""
    page.ask(base64_of(signer.issue(1, ttl=1, age=600_000)[0]), "REF30", "TNT")
    widths = page.tab.evaluate("[...document.querySelectorAll('.tolerated, .over')].map((one) => parseFloat(one.getAttribute('width')))")
    check("a life of a millisecond is drawn as one, ten minutes later", len(widths) == 2 and max(widths) < 1, widths)
    last = base64_of(signer.issue(1, at=253_402_300_799_000)[0])
    shows("the last second of 9999", page, Explained(address, last, "REF30", "TNT").said, page.ask(last, "REF30", "TNT"))


def reported(page, signer):
    """The button that copies the report, and times here and in UTC."""
    page.tab.call("Emulation.setTimezoneOverride", timezoneId="America/New_York")
    shown = page.ask(base64_of(signer.issue(1, ttl=60_000, age=600_000)[0]), "REF30", "TNT")
    check("a time is in UTC and as it is here", re.search(r"Issued20\d\d-\d\d-\d\d [0-9:.]+ UTC \(here .*\d:\d\d:\d\d.*\)Now", shown["text"]), shown["text"])
    page.tab.evaluate("(() => { navigator.clipboard.writeText = async (text) => { window.copied = text; }; })()")
    page.tab.evaluate("[...document.querySelectorAll('#answer button')].at(-1).click()")
    copied = page.tab.evaluate("new Promise((done) => setTimeout(() => done(window.copied), 50))")
    check("the button copies the report, a line for each name", re.match(
        r"Verdict: TOKEN_EXPIRED \(3\)\nReason: expired\nAction: new-token\nAdobe's code: TOKEN_EXPIRED\nExpected: a time from .*\nFound: .*\nName in the log: [0-9a-f]{16}\n", copied), copied)
    check("the button says that it copied", page.tab.evaluate("[...document.querySelectorAll('#answer button')].at(-1).textContent") == "Copied")
    page.tab.call("Emulation.setTimezoneOverride", timezoneId="UTC")


def hostile(page, signer, address):
    rtl = "\u202eevil\u2066\u200b"
    for name, text in (
            ("markup", MARKUP), ("markup and a quote", f"\"'>{MARKUP}"), ("a template", "${hacked=1}{{hacked=1}}"),
            ("directions", rtl), ("NUL", "\0" + MARKUP), ("64 KiB", "<b>" * 21_840), ("more than a body", "x" * 300_000),
            ("half a pair", "\ud800"), ("lines", "\r\n\u2028\u2029\v\f" + MARKUP)):
        shown = page.ask(text)
        check(f"pasted text is never markup: {name}", set(shown["tags"]) <= TAGS and not shown["hacked"]
              and not shown["heading"].startswith("This token would") and (shown["heading"] or shown["problem"]), shown)
        check(f"pasted text breaks nothing on the page: {name}",
              shown["width"] <= shown["window"] and page.errors() == [], page.errors())
    for name, options in (
            ("markup", {"mvpd": MARKUP, "proxy": MARKUP}), ("directions", {"mvpd": rtl, "resource": f"TNT{rtl}"}),
            ("no end", {"resource": "A" * 20_000}), ("marks", {"mvpd": "a" + "\u0301" * 300})):
        text = base64_of(signer.issue(1, guid=GUID, **options)[0])
        said = Explained(address, text).said
        shown = page.ask(text)
        check(f"a signed token's text is never markup: {name}", set(shown["tags"]) <= TAGS and not shown["hacked"]
              and shown["scripts"] == 1 and shown["width"] <= shown["window"] and page.errors() == []
              and [tuple(one)[1] for one in shown["steps"]] == [one["outcome"].replace("-", " ") for one in said["steps"]], shown)
        check(f"nothing in a signed token's text is hidden: {name}",
              not re.search("[\u200b-\u200f\u202a-\u202e\u2066-\u2069]", shown["text"]), shown["text"])
        check(f"a signed token's session GUID is not shown: {name}", GUID not in shown["text"])
    for unseen in "\u2800\ufe0f\u180b\u17b4\U000e0100":
        shown = page.ask(base64_of(signer.issue(1, resource=f"TNT{unseen}")[0]), "REF30", "TNT")
        check(f"what is drawn as nothing is written out: U+{ord(unseen):04X}",
              f"In the tokenTNTU+{ord(unseen):04X}" in shown["text"] and unseen not in shown["text"], shown["text"])
    shown = page.ask(base64_of(signer.issue(1, resource="TNT\u202e")[0]), "REF30", "TNT")
    check("what cannot be seen is written out, and named as the difference",
          "TNTU+202E" in shown["text"] and "character 4 is expected to be nothing, and is U+202E" in shown["text"], shown["text"])


def by_keys(page, signer):
    """From the top of the page to an explanation and into it, without a mouse."""
    page.load()
    seen = []
    for _ in range(6):
        page.press("Tab")
        seen.append(page.focus())
    check("keys get to every part of the form in its order", seen == ["token", "requestor", "resource", "kind", "Explain", "Clear"], seen)
    page.load()
    page.press("Tab")
    page.tab.call("Input.insertText", text=base64_of(signer.issue(1, resource="TBS", requestor="REF31")[0]))
    for text in ("REF30", "TNT"):
        page.press("Tab")
        page.tab.call("Input.insertText", text=text)
    page.press("Enter")
    shown = page.shown()
    check("Enter asks, also in the resource, and the answer gets the focus", shown["heading"] == "Refused: the token was issued for another requestor." and shown["focus"] == "verdict", shown)
    page.press("Tab")
    check("Tab leads from an answer to its first step", page.focus().startswith("1. armor"), page.focus())
    page.press(" ")
    check("a key opens the first step of an answer", page.tab.evaluate("document.querySelector('details').open"))
    page.tab.evaluate("document.getElementById('token').focus()")
    page.tab.call("Input.insertText", text="x")
    check("an answer goes when its question changes", page.tab.evaluate("document.getElementById('answer').hidden"))
    page.ask("x")
    page.tab.evaluate("document.querySelector('button[type=reset]').click()")
    check("the button Clear leaves nothing in the form and the answer", page.tab.evaluate(
        "['token', 'requestor', 'resource', 'answer'].map((id) => document.getElementById(id).value ?? "
        "document.getElementById(id).textContent).join('')") == "" and page.focus() == "token")


def accessibility(page, signer, script):
    tokens = {
        "the form": None, "a good token": (base64_of(signer.issue(1)[0]),),
        "a refusal": (base64_of(signer.issue(1, resource="tnt")[0]), "REF30", "TNT"),
        "an expired token": (base64_of(signer.issue(1, ttl=60_000, age=600_000)[0]),), "nonsense": ("x",),
        "a long one": (base64_of(signer.issue(1, resource="A" * 20_000)[0]),), "a problem": ("{",)}
    # Of contrast it leaves some open, in drawings and at the ends of lines: what the page computes is compared below.
    run = "axe.run(document).then((found) => ({passes: found.passes.length, wrong: [...found.violations, ...found.incomplete.filter(" \
          "(one) => one.id !== 'color-contrast')].map((one) => [one.id, one.nodes.map((node) => node.html.slice(0, 100))])}))"
    page.load()
    page.tab.evaluate(script)
    page.tab.evaluate("document.body.append(document.createElement('img'))")
    page.tab.evaluate("document.querySelector('.hint').style.color = '#ddd'")
    found = {one[0] for one in page.tab.evaluate(run)["wrong"]}
    check("axe-core sees a picture without a text, and grey on white", {"image-alt", "color-contrast"} <= found, found)
    for width, size in WIDTHS.items():
        for scheme in ("light", "dark"):
            page.resize(*size)
            page.prefer(scheme)
            for name, asked in tokens.items():
                page.load()
                page.tab.evaluate(script)
                if asked:
                    page.ask(*asked)
                    page.tab.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
                found = page.tab.evaluate(run)
                outside = page.tab.evaluate("document.documentElement.scrollWidth > innerWidth")
                check(f"axe-core finds nothing: {name}, {width}, {scheme}",
                      found["wrong"] == [] and found["passes"] > 15 and not outside, f"{found} {outside}")
                faint = [one for one in page.contrasts() if one[0] < 4.5]
                check(f"all text can be read: {name}, {width}, {scheme}", not faint, faint)
    page.resize(*WIDTHS["phone"])
    page.prefer("light")


def other_answers(page, signer, address):
    """What is answered by others, or by a daemon whose replay memory is away, in place of this daemon's answer to a good token."""
    token = base64_of(signer.issue(1)[0])
    truth, open_ = Explained(address, token, "REF30", "TNT").said, Explained(address, token).said
    gone = {name: value for name, value in truth.items() if name != "verdict"} | {"fault": "REPLAY_MEMORY_UNAVAILABLE", "action": "retry", "headline": "No verdict"}

    def shown(body, status):
        text = json.dumps(body if isinstance(body, str) else json.dumps(body))
        page.tab.evaluate(f"window.fetch = async () => new Response({text}, {{status: {status}}}), 0")
        return page.ask(token, "REF30", "TNT")

    for name, body, status, heading in (
            ("the truth", truth, 200, "This token would be accepted."), ("what is open", open_, 200, "Not refused, but not checked"),
            ("a fault", gone, 503, "No verdict"), ("a fault with 200", gone, 200, "No verdict")):
        found = shown(body, status)
        check(f"an answer is shown as what it is: {name}", found["heading"].startswith(heading) and found["green"] == (body is truth), found)
    for name, body, status in (
            *((f"a verdict with the status {status}", truth, status) for status in (201, 403, 500, 503)),
            ("what is open, with a verdict", truth | {"notChecked": ["resource"]}, 200),
            ("a fault with a verdict", truth | {"fault": "INTERNAL_FAULT"}, 200),
            ("a refusal with the status 503", truth | {"verdict": "TOKEN_EXPIRED"}, 503),
            ("a verdict alone", {"verdict": "VALID_TOKEN"}, 200),
            ("a list", [truth], 200), ("nothing", "null", 200), ("a text", '"VALID_TOKEN"', 200), ("half of it", json.dumps(truth)[:-1], 200),
            ("a page of a proxy", MARKUP, 502), ("an error with markup", {"error": MARKUP, "detail": MARKUP}, 400),
            ("an error whose detail is no text", {"error": "x", "detail": 5}, 400), ("a fault with markup", {"fault": MARKUP}, 503)):
        found = shown(body, status)
        check(f"what is no explanation is said to be a problem: {name}",
              found["heading"] == "" and found["problem"] and not found["green"] and not found["hacked"] and page.errors() == [], found)
    page.tab.evaluate("{ const later = setTimeout; window.setTimeout = (call, wait) => later(call, wait / 100); window.fetch = (_, { signal }) => "
                      "new Promise((_, fail) => signal.addEventListener('abort', fail)); }")
    found = page.ask(token, "REF30", "TNT")
    check("a daemon that never answers is said not to", found["heading"] == "" and "does not answer" in found["problem"], found)
    page.load()
    moved = truth | {"viewer": MARKUP, "headline": MARKUP, "meaning": MARKUP, "next": [MARKUP], "report": [{"name": MARKUP, "value": MARKUP}]} | {
        "binding": [one | {"expected": MARKUP, "found": MARKUP} for one in truth["binding"]],
        "steps": [truth["steps"][0] | {"notes": [{"name": MARKUP, "value": MARKUP}]}, *truth["steps"][1:]]}
    found = shown(moved, 200)
    check("whatever an explanation says is text", found["text"].count("<script>") >= 9 and set(found["tags"]) <= TAGS and not found["hacked"], found)
    far = truth | {"life": truth["life"] | {"ends": "+275760-09-13T00:00:00.000Z", "acceptedUntil": "+275760-09-13T00:00:00.000Z"}}
    found = shown(far, 200)
    check("a life without an end is drawn", found["heading"] != "" and page.errors() == [] and found["width"] <= 320, found)
    page.load()


def article(page, signer):
    """The article's pictures are of this page."""
    source = pictures.digest(FILES)
    if os.environ.get("ARTICLE_PICTURES") == "make":
        token = base64_of(signer.issue(1, ttl=420_000, age=600_000)[0])
        page.load()
        page.resize(720, 900)
        for scheme, name in (("light", "refused-token"), ("dark", "refused-token~dark")):
            page.prefer(scheme)
            page.ask(token, "REF30", "TNT")
            end = page.tab.evaluate("[...document.querySelectorAll('h3')].find((one) => one.textContent === 'The seven steps').offsetTop")
            file = ARTICLE / "Resources" / f"{name}.png"
            file.parent.mkdir(exist_ok=True)
            file.write_bytes(pictures.marked(page.picture(height=end), source))
    names = pictures.shown_in((ARTICLE / "SupportDesk.md").read_text())
    check("the article SupportDesk shows the page", names == ["refused-token"], names)
    for name in ("refused-token", "refused-token~dark"):
        png = (ARTICLE / "Resources" / f"{name}.png").read_bytes()
        check(f"{name} is a picture of this page; else run this with ARTICLE_PICTURES=make",
              pictures.mark_of(png) == source and pictures.size(png)[0] == 720, pictures.mark_of(png))


def main():
    script = axe()
    signer, address = Signer(), f"127.0.0.1:{free_port()}"
    daemon = Daemon(signer, inspector=address, tenants=[{"requestor": "REF30"}, {"requestor": "OTHER"}]).start()
    browser = Browser(shutil.which("chromium"), path("profile"))
    try:
        page = Page(browser, f"http://{address}")
        page.resize(*WIDTHS["phone"])
        good_ones(page, signer, address)
        life_and_times(page, signer, address)
        refusals(page, signer, daemon, address)
        reported(page, signer)
        hostile(page, signer, address)
        by_keys(page, signer)
        accessibility(page, signer, script)
        other_answers(page, signer, address)
        article(page, signer)
        requests = {request for request in page.tab.requests() if not request.startswith((f"http://{address}/", "data:"))}
        check("the page asks nothing of another place", not requests, requests)
        daemon.end()
        check("a daemon that is not there is said not to answer", "does not answer" in page.ask("x")["problem"])
    finally:
        browser.close()
        daemon.end()
    finish()


main()
