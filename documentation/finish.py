#!/usr/bin/env -S python3 -B
"""What docc leaves open in a merged site: one sidebar for all pages, and the texts that the search looks in.

    documentation/finish.py SITE
"""

import json
import pathlib
import re
import sys

site = pathlib.Path(sys.argv[1])
LANDING = "/documentation/overview"


def one_sidebar():
    """The renderer takes the first module of the page's path out of the tree, and the landing page's links come first, which have nothing
    in them. So there is one module, for both languages, in which all others are."""
    file = site / "index/index.json"
    index = json.loads(file.read_text())
    languages = index["interfaceLanguages"]
    modules = {module["path"]: module for tree in languages.values() for module in tree[0]["children"]}
    landing = modules.pop(LANDING)
    tree = [landing | {"children": [module | {"type": "collection"} for module in modules.values()]}]
    index["interfaceLanguages"] = dict.fromkeys(languages, tree)
    file.write_text(json.dumps(index))


def c_is_called_c():
    """The renderer knows no C, and calls it by the name of the other language of clang's."""
    changed = 0
    for file in site.glob("js/*.js"):
        text, times = re.subn(r'name:"Objective-C"(?=,key:)', 'name:"C"', file.read_text())
        if times:
            file.write_text(text)
        changed += times
    if changed != 1:
        sys.exit(f"expected the name of the language of C pages once in the renderer, found it {changed} times")


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


def texts():
    """For search/index.html, which makes its index of them."""
    found = []
    for file in sorted(site.glob("data/documentation/**/*.json")):
        address = file.relative_to(site / "data").with_suffix("").as_posix() + "/"
        found += [{"title": title, "address": address + anchor, "text": re.sub(r"\s+", " ", text)}
                  for title, anchor, text in sections(json.loads(file.read_text()))]
    (site / "search/texts.json").write_text(json.dumps(found, ensure_ascii=False))


one_sidebar()
c_is_called_c()
texts()
