"""What a resource document says: a model of the article's rules on expat, which shares no code with the library."""

import collections
import re
from xml.parsers import expat

WHITE = " \t\r\n"
MEDIA = {"http://search.yahoo.com/mrss/", "https://search.yahoo.com/mrss/"}
XML, XMLNS = "http://www.w3.org/XML/1998/namespace", "http://www.w3.org/2000/xmlns/"
MOST_BYTES, MOST_ELEMENTS, MOST_ATTRIBUTES, MOST_TEXT = 65_536, 512, 8, 4_096
# Element: its parents, the attributes that it may have, and whether it holds text.
GRAMMAR = {
    "rss": ({None}, {"version": {"2.0"}}, False), "channel": ({"rss"}, {}, False),
    "title": ({"channel", "item"}, {}, True), "item": ({"channel"}, {}, False),
    "guid": ({"item"}, {"isPermaLink": {"true", "false"}}, True),
    "media rating": ({"channel", "item"}, {"scheme": None}, True),
}


class NotADocument(Exception):
    pass


def is_meant_as_document(text):
    return text.lstrip(WHITE + "\ufeff")[:1] == "<"


def read(text):
    """(channel title, multiset of its ratings, multiset of its items), which are equal if the documents are the same."""
    data = text.encode()
    if not is_meant_as_document(text) or len(data) > MOST_BYTES or "\ufeff" in text[:1]:
        raise NotADocument
    return _Reading(data).result


def same(one, other):
    return read(one) == read(other)


def _bag(things):
    return frozenset(collections.Counter(things).items())


class _Reading:
    def __init__(self, data):
        # Each open element: name, attributes, namespaces in scope, children by name, pieces of text.
        self.open, self.elements, self.in_cdata, self.result = [], 0, False, None
        # A reference to white space is no white space: XML 1.0, section 3, Element Valid.
        parser = expat.ParserCreate("utf-8")
        parser.ordered_attributes = True
        parser.buffer_text = False
        parser.StartElementHandler, parser.EndElementHandler = self.start, self.end
        parser.CharacterDataHandler = lambda characters: self.text(characters, parser, data)
        parser.StartCdataSectionHandler, parser.EndCdataSectionHandler = self.start_cdata, self.end_cdata
        parser.CommentHandler = parser.ProcessingInstructionHandler = self.refuse
        parser.StartDoctypeDeclHandler = parser.SkippedEntityHandler = self.refuse
        parser.XmlDeclHandler = self.declaration
        try:
            parser.Parse(data, True)
        except expat.ExpatError as error:
            raise NotADocument from error
        # The encoding that was forced above hides what is declared.
        declared = re.match(rb"<\?xml\s[^>]*?encoding\s*=\s*[\"']([^\"']*)", data)
        if declared and declared[1].lower() != b"utf-8":
            raise NotADocument

    def refuse(self, *_):
        raise NotADocument

    def declaration(self, version, _encoding, _standalone):
        if version != "1.0":
            raise NotADocument

    def start_cdata(self):
        if not self.open or not GRAMMAR[self.open[-1]["name"]][2]:
            raise NotADocument
        self.in_cdata = True

    def end_cdata(self):
        self.in_cdata = False

    def text(self, characters, parser, data):
        element = self.open[-1]
        if GRAMMAR[element["name"]][2]:
            element["text"].append(characters)
            if len("".join(element["text"]).encode()) > MOST_TEXT:
                raise NotADocument
        elif characters.strip(WHITE) or data[parser.CurrentByteIndex:][:1] == b"&":
            raise NotADocument

    def start(self, name, pairs):
        self.elements += 1
        attributes = dict(zip(pairs[::2], pairs[1::2]))
        scope = dict(self.open[-1]["scope"]) if self.open else {"xml": XML}
        if self.elements > MOST_ELEMENTS or len(attributes) > MOST_ATTRIBUTES:
            raise NotADocument
        for key in [key for key in attributes if key == "xmlns" or key.startswith("xmlns:")]:
            self.declare(key.partition(":")[2], attributes.pop(key), scope)
        name = self.qualified(name, scope)
        parents, allowed, _ = GRAMMAR.get(name, (set(), {}, False))
        if (self.open[-1]["name"] if self.open else None) not in parents:
            raise NotADocument
        for key, value in attributes.items():
            if key not in allowed or allowed[key] is not None and value not in allowed[key]:
                raise NotADocument
            if len(value.encode()) > MOST_TEXT:
                raise NotADocument
        if name == "rss" and "version" not in attributes:
            raise NotADocument
        self.open.append({"name": name, "attributes": attributes, "scope": scope, "text": [],
                          "children": collections.defaultdict(list)})

    @staticmethod
    def declare(prefix, uri, scope):
        """Namespaces in XML 1.0, sections 2.2 and 3."""
        reserved = prefix == "xmlns" or uri == XMLNS or (prefix == "xml") != (uri == XML)
        if reserved or prefix and not uri:
            raise NotADocument
        scope[prefix] = uri

    @staticmethod
    def qualified(name, scope):
        prefix, colon, local = name.partition(":")
        if not colon:
            return name if not scope.get("") else None
        if not prefix or not local or ":" in local or scope.get(prefix) not in MEDIA:
            raise NotADocument
        return "media " + local

    def end(self, _):
        element = self.open.pop()
        name, attributes, children = element["name"], element["attributes"], element["children"]
        text = "".join(element["text"])
        if name == "media rating":
            value = (attributes.get("scheme"), text)
        elif name == "guid":
            value = (attributes.get("isPermaLink"), text)
        elif name == "title":
            value = text
        elif name == "item":
            if len(children["title"]) > 1 or len(children["guid"]) > 1:
                raise NotADocument
            value = (tuple(children["title"]), tuple(children["guid"]), _bag(children["media rating"]))
        elif name == "channel":
            if len(children["title"]) != 1:
                raise NotADocument
            value = (children["title"][0], _bag(children["media rating"]), _bag(children["item"]))
        else:
            if len(children["channel"]) != 1:
                raise NotADocument
            value = self.result = children["channel"][0]
        if self.open:
            self.open[-1]["children"][name].append(value)
