#!/usr/bin/env -S python3 -B
"""What docc leaves open in a merged site: one sidebar for all pages, contents of long ones, the texts that the search looks in, and our
styles.

    documentation/finish.py SITE
"""

import json
import pathlib
import re
import sys

site = pathlib.Path(sys.argv[1])
LANDING = "/documentation/overview"
#: The least headings of an article that begins with its contents.
LONG = 8


def one_sidebar():
    """The renderer takes the first module of the page's path out of the tree, and the landing page's links come first, which have nothing
    in them. So there is one module, for both languages, in which all others are."""
    file = site / "index/index.json"
    index = json.loads(file.read_text())
    languages = index["interfaceLanguages"]
    modules = {module["path"]: module for name in sorted(languages, reverse=True) for module in languages[name][0]["children"]}
    landing = modules.pop(LANDING)
    tree = [landing | {"children": [module | {"type": "collection"} for module in modules.values()]}]
    index["interfaceLanguages"] = dict.fromkeys(languages, tree)
    file.write_text(json.dumps(index))


def rename():
    """The renderer knows no C, and calls it by the name of the other language of clang's; and it reads its settings too late for titles."""
    for before, name in ((r'name:"Objective-C"(?=,key:)', 'name:"C"'), (r'(?<=\["meta","title"\],)"Documentation"', '"MediaToken"')):
        found = [file for file in site.glob("js/*.js") if re.search(before, file.read_text())]
        if len(found) != 1:
            sys.exit(f"expected {before} in one file of the renderer, found it in {len(found)}")
        found[0].write_text(re.sub(before, name, found[0].read_text()))


def styles():
    """Ours come last in the style sheet that every page has."""
    file, = site.glob("css/index.*.css")
    file.write_text(file.read_text() + (pathlib.Path(__file__).parent / "site.css").read_text())


def words(node):
    """What a reader sees of a part of a page."""
    if isinstance(node, list):
        return " ".join(filter(None, map(words, node)))
    if not isinstance(node, dict):
        return ""
    if isinstance(code := node.get("code"), list):
        return " ".join(code)
    return " ".join(filter(None, [node.get("text") or code or "", "".join(map(words, node.get("inlineContent", []))),
                                  *(words(inner) for name, inner in node.items() if name != "inlineContent")]))


def sections(page):
    """Title, anchor and text of a page's beginning and of each section of it."""
    title, anchor, parts = page["metadata"]["title"], "", [page.get("abstract", [])]
    heading = title
    for block in (block for section in page.get("primaryContentSections", []) for block in section.get("content", [])):
        if block["type"] == "heading":
            yield heading, anchor, words(parts)
            heading, anchor, parts = f"{title}: {block['text']}", "#" + block["anchor"], []
        else:
            parts.append(block)
    yield heading, anchor, words(parts)


def contents(headings):
    """A list of links to headings, in which those of the third level are below those of the second."""
    links, above = [], []
    for heading in headings:
        link = {"type": "link", "title": heading["text"], "destination": "#" + heading["anchor"]}
        item = {"content": [{"type": "paragraph", "inlineContent": [link]}]}
        if heading["level"] == 2 or not links:
            links.append(item)
            above = []
        else:
            if not above:
                links[-1]["content"].append({"type": "unorderedList", "items": above})
            above.append(item)
    return {"type": "unorderedList", "items": links}


def begin_with_contents():
    """Each article that has more than a few sections."""
    for file in site.glob("data/documentation/*/*.json"):
        page = json.loads(file.read_text())
        if page["metadata"].get("role") != "article":
            continue
        blocks = page["primaryContentSections"][0]["content"]
        headings = [block for block in blocks if block["type"] == "heading" and block["level"] < 4]
        if len(headings) >= LONG:
            blocks.insert(0, contents(headings))
            file.write_text(json.dumps(page, ensure_ascii=False))


def texts():
    """For search/index.html, which makes its index of them."""
    found = []
    for file in sorted(site.glob("data/documentation/**/*.json")):
        address = file.relative_to(site / "data").with_suffix("").as_posix() + "/"
        found += [{"title": title, "address": address + anchor, "text": re.sub(r"\s+", " ", text)}
                  for title, anchor, text in sections(json.loads(file.read_text()))]
    (site / "search/texts.json").write_text(json.dumps(found, ensure_ascii=False))


one_sidebar()
rename()
styles()
texts()
begin_with_contents()
