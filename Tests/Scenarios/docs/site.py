#!/usr/bin/env -S python3 -B
"""The documentation site: it builds without a warning, and is whole in a browser, on a desktop and on a phone.

Every page is opened. The sidebar shows where it is, links and their anchors resolve, nothing is wider than a phone, nothing is
asked of another machine, the console stays empty, and every public type has its place in its module's Topics. The search finds.
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import urllib.parse

sys.path.insert(1, sys.path[0] + "/../lib")
sys.path.insert(1, sys.path[0] + "/site")

from crawl import WIDTH, Site
from scenario import ROOT, check, count, finish, needs, path

needs("swift", "docc", "chromium")
#: Not the root: a page that forgets where the site is finds nothing.
BASE = "/under/mediatoken"
#: Products that are libraries and have no public name of their own.
WITHOUT_NAMES = {"MediaTokenFormats", "MediaTokenHTTP", "mediatoken-abi"}


def tool(*arguments):
    return subprocess.run([ROOT / "tools/site", *arguments], capture_output=True, text=True)


def built():
    folder = pathlib.Path(path("site"))
    result = tool(folder, BASE)
    if not check("the site builds, and docc warns of nothing", result.returncode == 0
                 and not re.search("warning:|error:", result.stdout + result.stderr), result.stdout + result.stderr):
        finish()
    return folder


def topics(folder):
    """DocC puts what no article names into groups of its own, which it marks as generated."""
    products = set(re.findall(r'\.library\(name: "([^"]+)"', (ROOT / "Package.swift").read_text())) - WITHOUT_NAMES
    check("Package.swift has libraries with public names", len(products) >= 3, products)
    names = 0
    for module in sorted(products | {"MediaTokenABI"}):
        file = folder / f"data/documentation/{module.lower()}.json"
        if not check(f"{module} is in the site", file.exists()):
            continue
        page = json.loads(file.read_text())
        sections = page.get("topicSections", [])
        forgotten = [page["references"][one]["title"] for section in sections if section.get("generated")
                     for one in section["identifiers"]]
        names += sum(page["references"][one]["kind"] == "symbol" for section in sections for one in section["identifiers"])
        check(f"every public name of {module} has a place in its Topics", sections and not forgotten, forgotten)
    count(f"{names} names in Topics")
    public = [file for module in ("MediaTokenFormats", "MediaTokenHTTP") for file in (ROOT / "Sources" / module).rglob("*.swift")
              if re.search(r"^\s*(@\w+ )*public ", file.read_text(), re.M)]
    check("MediaTokenFormats and MediaTokenHTTP have no public name", not public, public)


def paths(node):
    """Those of the pages in the index from which the sidebar is made."""
    if isinstance(node, dict):
        if "path" in node and not node.get("external"):
            yield node["path"]
        node = list(node.values())
    if isinstance(node, list):
        for one in node:
            yield from paths(one)


def sidebar(folder):
    listed = set(paths(json.loads((folder / "index/index.json").read_text())))
    lost = [one for one in listed if not (folder / one.strip("/") / "index.html").exists()]
    check("every entry of the sidebar leads to a page", len(listed) > 100 and not lost, lost)


def none(text, values):
    values = list(values)
    check(text, not values, f"{len(values)}: {values[:12]}")


def links(site, found):
    """Where the pages lead, inside the site and elsewhere."""
    broken, looked, elsewhere = {}, 0, set()
    for page, content in found.items():
        for link in content["links"]:
            address, _, anchor = link.partition("#")
            if not address.startswith(site.origin):
                elsewhere.add(link)
                continue
            looked += 1
            target = found.get(site.page(address))
            if target is None or anchor and urllib.parse.unquote(anchor) not in target["ids"]:
                broken.setdefault(link, page)
    count(f"{len(found)} pages, {looked} links in them")
    check("every link and every anchor resolves", looked > len(found) and not broken, list(broken.items())[:12])
    none("every link to elsewhere is encrypted", (link for link in elsewhere if not link.startswith("https://")))


def articles(pages):
    """An article is a page of its own, or the page of the module that it is about."""
    names = {page.split("/")[-1] for page in pages}
    for file in [*ROOT.glob("Sources/*/*.docc/*.md"), *ROOT.glob("documentation/*/*.md")]:
        module = re.match("# ``(.*)``", file.read_text())
        name = (module[1] if module else file.stem).lower()
        if name not in names:
            yield file.name


def browser(site):
    found, landing, sidebars, search = site.crawl(shutil.which("chromium"), path("profile"))
    titles = {page: json.loads((site.folder / f"data/{page}.json").read_text())["metadata"]["title"] for page in found}
    check("the site's root leads to the landing page", landing and landing["heading"] == "MediaToken", landing)
    none("every article is a page of the site", articles(found))
    none("every page shows its own heading", (f"{page}: {content['heading']}" for page, content in found.items()
                                              if content["heading"] != titles[page]))
    none("the title of every page is its heading and the site's", (f"{page}: {content['title']}" for page, content in found.items()
                                                                    if not re.fullmatch(r".+ \| MediaToken", content["title"])))
    count(f"{len(sidebars)} modules, types and articles opened by their addresses")
    lost = {page: sidebar for page, sidebar in sidebars.items() if site.page(sidebar["entry"] or "") != page}
    check("the sidebar shows where in the site a page is that is opened by its address", len(sidebars) > 100 and not lost, lost)
    none("C is not called Objective-C", (page for page, sidebar in sidebars.items() if sidebar["namesObjectiveC"]))
    links(site, found)
    sections = [(site.page(link), urllib.parse.urlsplit(link).fragment) for link in search["found"]]
    check("the search finds sections by words of their texts, and leads to them",
          ("documentation/mediatokenservice/setup", "Size-it") in sections
          and all(anchor in found[page]["ids"] for page, anchor in sections), search)
    check("the search asks no other machine, and has no error",
          not search["errors"] and all(one.startswith(site.origin) for one in search["requests"]), search)
    check("what is typed before the search has loaded is kept, and looked for", search["typed"] == ["descriptors", True], search["typed"])
    check("the search is dark where the reader chose that", search["dark"] == ["rgb(0, 0, 0)", "rgb(255, 255, 255)"], search["dark"])
    none("an excerpt has whole words", search["excerpts"])
    none(f"no page is wider than {WIDTH} pixels", (f"{page}: {content['width']}" for page, content in found.items()
                                                   if content["width"] > WIDTH))
    none("nothing reaches out of a page without a scroll bar", (f"{page}: {content['outside'][:2]}"
                                                                for page, content in found.items() if content["outside"]))
    none("nothing is asked of another machine", {request for content in found.values() for request in content["requests"]
                                                 if not request.startswith((site.origin, "data:", "blob:"))})
    none("no page has an error in the browser's console", (f"{page}: {content['errors'][:2]}" for page, content in found.items()
                                                           if content["errors"]))
    none("the site has all that its pages ask for", site.missing)


folder = built()
topics(folder)
sidebar(folder)
browser(Site(folder, BASE))
finish()
