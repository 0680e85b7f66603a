"""Step 6, resources that are documents: what each spelling says, by hand and by the model in media_rss.py, which must agree."""

import json

from . import media_rss
from .collection import RESOURCE
from .tokens import body, percent, token

MEDIA = "http://search.yahoo.com/mrss/"
PLAIN, NONE, OTHER, SAME = "TNT", "resource-not-a-document", "other-resource", None
SHORT = '<rss version="2.0"><channel><title>TNT</title></channel></rss>'
ASSET = (f'<rss version="2.0" xmlns:media="{MEDIA}"><channel><title>P</title><item><title>T</title><guid>G</guid>'
         '<media:rating scheme="urn:v-chip">TV-PG</media:rating></item></channel></rss>')
RATED = (f'<rss version="2.0" xmlns:media="{MEDIA}"><channel><title>TNT</title>'
         '<media:rating scheme="urn:mpaa">pg</media:rating></channel></rss>')


def rss(inside, attributes='version="2.0"', before=""):
    return f"{before}<rss {attributes}><channel>{inside}</channel></rss>"


def media(inside, prefix="media", uri=MEDIA):
    return rss(inside, f'version="2.0" xmlns:{prefix}="{uri}"')


def asset(old, new, of=ASSET):
    assert old in of, old
    return of.replace(old, new)


def title(text="TNT"):
    return f"<title>{text}</title>"


# Each: the spelling, and the document that it is held against.
SAME_DOCUMENTS = {
    "itself": (ASSET, ASSET),
    "short": (SHORT, SHORT),
    "line-feeds": (ASSET.replace("><", ">\n  <"), ASSET),
    "crlf": (ASSET.replace("><", ">\r\n<"), ASSET),
    "tabs": (ASSET.replace("><", ">\t<"), ASSET),
    "white-space-around": (f"\n {ASSET}\r\n\t", ASSET),
    "white-space-in-tags": (ASSET.replace('<rss ', '<rss\n\t').replace('"><channel>', '" ><channel >').replace("</rss>", "</rss >"), ASSET),
    "white-space-at-equals": (asset('version="2.0"', 'version\n=\t"2.0"'), ASSET),
    "single-quotes": (ASSET.replace('"', "'"), ASSET),
    "attribute-order": (asset(f'version="2.0" xmlns:media="{MEDIA}"', f'xmlns:media="{MEDIA}" version="2.0"'), ASSET),
    "https": (asset("http:", "https:"), ASSET),
    "other-prefix": (ASSET.replace("media:", "m:").replace(":media=", ":m="), ASSET),
    "prefix-beyond-ascii": (ASSET.replace("media:", "médias:").replace(":media=", ":médias="), ASSET),
    "prefix-rebound": (media('<title>P</title><item><title>T</title><guid>G</guid><x:rating xmlns:x="' + MEDIA
                             + '" scheme="urn:v-chip">TV-PG</x:rating></item>', uri="urn:else"), ASSET),
    "namespace-in-references": (asset("mrss/", "&#109;rss&#x2F;"), ASSET),
    "unused-namespaces": (asset("<channel>", '<channel xmlns:a="urn:a" xmlns:b="http://b">'), ASSET),
    "unused-relative-namespace": (asset("<channel>", '<channel xmlns:a="a/b" xmlns:c=" %zz ">'), ASSET),
    "default-namespace-undeclared": (asset("<channel>", '<channel xmlns="">'), ASSET),
    "xml-prefix-declared": (asset("<channel>", f'<channel xmlns:xml="{media_rss.XML}">'), ASSET),
    "eight-attributes": (asset("<channel>", "<channel " + " ".join(f'xmlns:a{n}="urn:{n}"' for n in range(8)) + ">"), ASSET),
    "declared": ('<?xml version="1.0"?>' + ASSET, ASSET),
    "declared-utf8": ('<?xml version=\'1.0\' encoding="utf-8" ?>\n' + ASSET, ASSET),
    "declared-standalone": ('<?xml version="1.0" encoding="UTF-8" standalone="no"?>' + ASSET, ASSET),
    "children-order": (f'<rss version="2.0" xmlns:media="{MEDIA}"><channel><item><media:rating scheme="urn:v-chip">TV-PG'
                       '</media:rating><guid>G</guid><title>T</title></item><title>P</title></channel></rss>', ASSET),
    "items-order": (rss(title() + "<item><guid>1</guid></item><item><guid>2</guid></item>"),
                    rss("<item><guid>2</guid></item>" + title() + "<item><guid>1</guid></item>")),
    "ratings-order": (media(title() + "<media:rating>a</media:rating><media:rating>b</media:rating>"),
                      media("<media:rating>b</media:rating><media:rating>a</media:rating>" + title())),
    "ratings-twice": (media(title() + "<media:rating>a</media:rating>" * 2), media(title() + "<media:rating>a</media:rating>" * 2)),
    "items-twice": (rss(title() + "<item/>" * 2), rss("<item></item>" + title() + "<item />")),
    "cdata": (asset("<title>T<", "<title><![CDATA[T]]><"), ASSET),
    "cdata-in-pieces": (rss(title("a<![CDATA[<b>]]>&amp;<![CDATA[]]]]><![CDATA[>]]>")), rss(title("a&lt;b&gt;&amp;]]&gt;"))),
    "cdata-line-ends": (rss(title("<![CDATA[a\r\nb\rc]]>")), rss(title("a\nb\nc"))),
    "text-line-ends": (rss(title("a\r\nb\rc\n")), rss(title("a\nb\nc&#10;"))),
    "references": (rss(title("&#84;&#x4e;&#0000084;")), SHORT),
    "escapes": (rss(title("&lt;&gt;&amp;&quot;&apos;")), rss(title("&#60;&#62;&#38;\"'"))),
    "reference-to-cr": (rss(title("a&#13;&#xD;")), rss(title("a&#xd;&#13;"))),
    "scheme-ampersand": (media(title() + '<media:rating scheme="a&amp;b&#38;#38;&lt;">x</media:rating>'),
                         media(title() + "<media:rating scheme='a&#38;b&amp;#38;&#60;'>x</media:rating>")),
    "scheme-of-4096-ampersands": (media(title() + f'<media:rating scheme="{"&amp;" * 4096}">x</media:rating>'),
                                  media(title() + f'<media:rating scheme="{"&#38;" * 4096}">x</media:rating>')),
    "scheme-white-space": (media(title() + '<media:rating scheme="a\tb\r\nc\rd">x</media:rating>'),
                           media(title() + '<media:rating scheme="a b c d">x</media:rating>')),
    "scheme-quotes": (media(title() + "<media:rating scheme='\"'>x</media:rating>"),
                      media(title() + '<media:rating scheme="&quot;">x</media:rating>')),
    "empty-title": (rss("<title/>"), rss("<title></title>")),
    "empty-texts": (asset("TV-PG", "", asset(">T<", "><")), asset(">T</title>", "/>".replace("/>", "><![CDATA[]]></title>"), asset("TV-PG", ""))),
    "permalink": (rss(title() + '<item><guid isPermaLink="false">G</guid></item>'),
                  rss(title() + "<item><guid isPermaLink='&#102;alse'>G</guid></item>")),
    "beyond-ascii": (rss(title("Ünïcödé 🎬")), rss(title("&#220;n&#xEF;c&#xF6;d&#xe9; &#x1F3AC;"))),
    "del-and-c1": (rss(title("\x7f\x85")), rss(title("&#127;&#133;"))),
    "text-4096": (rss(title("é" * 2048)), rss(title("é" * 2048))),
    "elements-512": (rss(title() + "<item/>" * 509), rss(title() + "<item></item>" * 509)),
    "items-of-40-kib": (rss(title() + "".join(f"<item><guid>{n:0150}</guid></item>" for n in range(254))),
                        rss("".join(f"<item><guid>{n:0150}</guid></item>" for n in reversed(range(254))) + title())),
}

OTHER_DOCUMENTS = {
    "plain": (PLAIN, SHORT),
    "plain-like-adobe": (PLAIN, SHORT),
    "plain-with-markup": ("TNT<rss/>", SHORT),
    "plain-empty-after-white-space": (" ", SHORT),
    "channel-title": (asset(">P<", ">Q<"), ASSET),
    "channel-title-case": (rss(title("tnt")), SHORT),
    "channel-title-space": (rss(title("TNT ")), SHORT),
    "channel-title-nbsp": (rss(title("TNT\u00a0")), SHORT),
    "channel-title-normal-form": (rss(title("Cafe\u0301")), rss(title("Caf\u00e9"))),
    "channel-title-kelvin": (rss(title("\u212a")), rss(title("K"))),
    "channel-title-escaped-twice": (rss(title("A&amp;amp;E")), rss(title("A&amp;E"))),
    "channel-title-empty": (rss(title("")), SHORT),
    "item-title": (asset(">T<", ">U<"), ASSET),
    "guid": (asset(">G<", ">H<"), ASSET),
    "guid-space": (asset(">G<", ">\nG<"), ASSET),
    "permalink": (rss(title() + '<item><guid isPermaLink="true">G</guid></item>'), rss(title() + '<item><guid isPermaLink="false">G</guid></item>')),
    "permalink-default": (rss(title() + '<item><guid isPermaLink="true">G</guid></item>'), rss(title() + "<item><guid>G</guid></item>")),
    "rating": (asset("TV-PG", "TV-MA"), ASSET),
    "rating-case": (asset("TV-PG", "tv-pg"), ASSET),
    "scheme": (asset("urn:v-chip", "urn:mpaa"), ASSET),
    "scheme-absent": (asset(' scheme="urn:v-chip"', ""), ASSET),
    "scheme-empty": (asset("urn:v-chip", ""), asset(' scheme="urn:v-chip"', "")),
    "scheme-reference-to-lf": (media(title() + '<media:rating scheme="a&#10;b">x</media:rating>'), media(title() + '<media:rating scheme="a\nb">x</media:rating>')),
    "no-item": (rss(title("P")), ASSET),
    "no-item-title": (asset("<title>T</title>", ""), ASSET),
    "empty-item-title": (asset("<title>T</title>", "<title/>"), asset("<title>T</title>", "")),
    "no-guid": (asset("<guid>G</guid>", ""), ASSET),
    "empty-guid": (asset("<guid>G</guid>", "<guid/>"), asset("<guid>G</guid>", "")),
    "no-rating": (asset('<media:rating scheme="urn:v-chip">TV-PG</media:rating>', ""), ASSET),
    "empty-rating": (asset('<media:rating scheme="urn:v-chip">TV-PG</media:rating>', '<media:rating/>'),
                     asset('<media:rating scheme="urn:v-chip">TV-PG</media:rating>', "")),
    "rating-twice": (media(title() + "<media:rating>a</media:rating>" * 2), media(title() + "<media:rating>a</media:rating>")),
    "item-twice": (rss(title() + "<item/>" * 2), rss(title() + "<item/>")),
    "rating-in-channel": (RATED, asset("<media:rating", "<item><media:rating", asset("rating></channel>", "rating></item></channel>", RATED))),
    "swapped-guids": (rss(title() + "<item><title>a</title><guid>1</guid></item><item><title>b</title><guid>2</guid></item>"),
                      rss(title() + "<item><title>a</title><guid>2</guid></item><item><title>b</title><guid>1</guid></item>")),
    "line-end-kept-by-reference": (rss(title("a&#13;\nb")), rss(title("a\r\nb"))),
    "more-items": (asset("</channel>", "<item/></channel>"), ASSET),
    "last-of-509-items": (rss(title() + "<item/>" * 507 + "<item><guid/></item>"), rss(title() + "<item/>" * 509)),
}

# Texts that are meant as documents, and are none.
BROKEN = {
    "two-channels": "<rss version=\"2.0\"><channel><title>TNT</title></channel><channel><title>HBO</title></channel></rss>",
    "no-channel": '<rss version="2.0"></rss>',
    "empty-rss": '<rss version="2.0"/>',
    "no-title": rss("<item/>"),
    "two-titles": rss(title() + title("HBO")),
    "title-after-item-twice": rss(title() + "<item/>" + title()),
    "two-item-titles": rss(title() + "<item><title>a</title><title>b</title></item>"),
    "two-guids": rss(title() + "<item><guid>a</guid><guid>a</guid></item>"),
    "title-in-comment": rss("<!--<title>HBO</title>-->" + title()),
    "comment-in-title": rss(title("TN<!---->T")),
    "comment-before": "<!-- -->" + SHORT,
    "comment-after": SHORT + "<!-- -->",
    "instruction": rss("<?php ?>" + title()),
    "instruction-in-title": rss(title("TNT<?x?>")),
    "instruction-after": SHORT + "<?x?>",
    "doctype": "<!DOCTYPE rss>" + SHORT,
    "doctype-entity": '<!DOCTYPE rss [<!ENTITY t "TNT">]>' + rss(title("&t;")),
    "doctype-external": '<!DOCTYPE rss SYSTEM "file:///etc/passwd">' + SHORT,
    "doctype-default-attribute": '<!DOCTYPE rss [<!ATTLIST rss version CDATA "2.0">]>' + SHORT.replace(' version="2.0"', ""),
    "entity-unknown": rss(title("&nbsp;")),
    "entity-no-end": rss(title("&amp")),
    "reference-to-nul": rss(title("&#0;")),
    "reference-to-control": rss(title("&#x1F;")),
    "reference-to-surrogate": rss(title("&#xD800;")),
    "reference-beyond": rss(title("&#x110000;")),
    "reference-capital-x": rss(title("&#X41;")),
    "bare-ampersand": rss(title("A&E")),
    "cdata-end-in-text": rss(title("a]]>b")),
    "cdata-open": rss(title("<![CDATA[TNT")),
    "cdata-in-channel": rss("<![CDATA[ ]]>" + title()),
    "cdata-in-rss": f'<rss version="2.0"><![CDATA[]]><channel>{title()}</channel></rss>',
    "cdata-around": "<![CDATA[" + SHORT + "]]>",
    "cdata-small-letters": rss(title("<![cdata[TNT]]>")),
    "text-in-channel": rss("TNT" + title()),
    "text-in-item": rss(title() + "<item>x</item>"),
    "text-in-rss": f'<rss version="2.0">x<channel>{title()}</channel></rss>',
    "text-before": "<" + "x" + SHORT,
    "text-after": SHORT + "x",
    "reference-between": rss("&#32;" + title()),
    "nbsp-between": rss("\u00a0" + title()),
    "next-line-between": rss("\u0085" + title()),
    "reference-in-item": rss(title() + "<item>&#10;</item>"),
    "second-root": SHORT + SHORT,
    "nested-rss": rss(title() + SHORT),
    "rss-in-item": rss(title() + "<item>" + SHORT + "</item>"),
    "channel-in-channel": rss(title() + "<channel>" + title() + "</channel>"),
    "item-in-item": rss(title() + "<item><item/></item>"),
    "item-in-rss": f'<rss version="2.0"><channel>{title()}</channel><item/></rss>',
    "title-in-rss": f'<rss version="2.0">{title()}<channel/></rss>',
    "guid-in-channel": rss(title() + "<guid>G</guid>"),
    "element-in-title": rss(title("<b>TNT</b>")),
    "rating-in-title": media(title("<media:rating/>")),
    "description": rss(title() + "<description>x</description>"),
    "link-in-item": rss(title() + "<item><link>x</link></item>"),
    "media-title": media("<media:title>TNT</media:title>"),
    "media-content": media(title() + "<item><media:content/></item>"),
    "root-channel": f"<channel>{title()}</channel>",
    "root-html": "<html/>",
    "root-case": SHORT.replace("rss", "RSS"),
    "title-case": rss("<Title>TNT</Title>"),
    "no-version": SHORT.replace(' version="2.0"', ""),
    "version-1": SHORT.replace("2.0", "0.92"),
    "version-space": SHORT.replace("2.0", " 2.0"),
    "version-case": SHORT.replace("version", "Version"),
    "version-twice": SHORT.replace('version="2.0"', 'version="2.0" version="2.0"'),
    "rss-other-attribute": SHORT.replace('version="2.0"', 'version="2.0" lang="en"'),
    "xml-lang": SHORT.replace('version="2.0"', 'version="2.0" xml:lang="en"'),
    "xml-space": rss(title().replace("<title>", '<title xml:space="preserve">')),
    "channel-attribute": SHORT.replace("<channel>", '<channel id="1">'),
    "title-attribute": rss('<title type="text">TNT</title>'),
    "guid-other-attribute": rss(title() + '<item><guid id="1">G</guid></item>'),
    "permalink-yes": rss(title() + '<item><guid isPermaLink="yes">G</guid></item>'),
    "permalink-empty": rss(title() + '<item><guid isPermaLink="">G</guid></item>'),
    "permalink-on-title": rss(title() + '<item><title isPermaLink="true">G</title></item>'),
    "rating-other-attribute": media(title() + '<media:rating type="x">a</media:rating>'),
    "rating-prefixed-scheme": media(title() + '<media:rating media:scheme="x">a</media:rating>'),
    "rating-scheme-twice": media(title() + '<media:rating scheme="x" scheme="y">a</media:rating>'),
    "rating-two-schemes": media(title() + '<media:rating scheme="x" media:scheme="y">a</media:rating>'),
    "rating-no-namespace": rss(title() + "<rating>a</rating>"),
    "rating-default-namespace": rss(title() + f'<rating xmlns="{MEDIA}">a</rating>'),
    "rating-undeclared-prefix": rss(title() + "<media:rating>a</media:rating>"),
    "rating-prefix-out-of-scope": rss(title() + f'<item xmlns:media="{MEDIA}"/><media:rating>a</media:rating>'),
    "rating-other-namespace": media(title() + "<media:rating>a</media:rating>", uri="http://example.com/mrss/"),
    "rating-namespace-no-slash": media(title() + "<media:rating>a</media:rating>", uri=MEDIA[:-1]),
    "rating-namespace-case": media(title() + "<media:rating>a</media:rating>", uri=MEDIA.replace("http", "HTTP")),
    "rating-namespace-space": media(title() + "<media:rating>a</media:rating>", uri=MEDIA + " "),
    "rating-namespace-ampersand": media(title() + "<media:rating>a</media:rating>", uri=MEDIA + "&amp;"),
    "rating-rebound-prefix": media(title() + '<media:rating xmlns:media="urn:else">a</media:rating>'),
    "rating-xml-prefix": rss(title() + "<xml:rating>a</xml:rating>"),
    "rating-xmlns-prefix": rss(title() + "<xmlns:rating>a</xmlns:rating>"),
    "default-namespace": SHORT.replace('version="2.0"', f'version="2.0" xmlns="{MEDIA}"'),
    "default-namespace-on-title": rss('<title xmlns="urn:x">TNT</title>'),
    "prefixed-rss": f'<m:rss xmlns:m="{MEDIA}" version="2.0"><channel>{title()}</channel></m:rss>',
    "prefixed-title": media("<media:title>TNT</media:title>" + title()),
    "prefix-undeclared-again": media(title() + '<item xmlns:media=""/>'),
    "xmlns-prefix-declared": rss(title() + f'<item xmlns:xmlns="{media_rss.XMLNS}"/>'),
    "xml-prefix-elsewhere": rss(title() + '<item xmlns:xml="urn:x"/>'),
    "other-prefix-for-xml": rss(title() + f'<item xmlns:x="{media_rss.XML}"/>'),
    "two-colons": media(title() + "<media:x:rating>a</media:x:rating>"),
    "colon-first": media(title() + "<:rating>a</:rating>"),
    "colon-last": media(title() + "<media:>a</media:>"),
    "end-tag-other-prefix": media(title() + f'<item xmlns:m="{MEDIA}"><media:rating>a</m:rating></item>'),
    "end-tag-case": rss("<title>TNT</Title>"),
    "end-tag-longer": rss("<title>TNT</titles>"),
    "end-tag-attribute": rss('<title>TNT</title x="y">'),
    "crossed": "<rss version=\"2.0\"><channel><title>TNT</channel></title></rss>",
    "cut": SHORT[:-1],
    "cut-in-title": SHORT[:40],
    "cut-in-attribute": '<rss version="2.0',
    "cut-at-name": "<rss",
    "less-than": "<",
    "attribute-no-quotes": SHORT.replace('"2.0"', "2.0"),
    "attribute-no-value": SHORT.replace('="2.0"', ""),
    "attribute-less-than": media(title() + '<media:rating scheme="<">a</media:rating>'),
    "attributes-together": media(title()).replace('" xmlns', '"xmlns'),
    "attribute-entity": media(title() + '<media:rating scheme="&nbsp;">a</media:rating>'),
    "space-before-name": "< rss version=\"2.0\"></rss>",
    "slash-apart": rss("<title/ >"),
    "nine-attributes": SHORT.replace("<channel>", "<channel " + " ".join(f'xmlns:a{n}="urn:{n}"' for n in range(9)) + ">"),
    "byte-order-mark": "\ufeff" + SHORT,
    "byte-order-mark-after-space": " \ufeff" + SHORT,
    "byte-order-mark-inside": '<rss version="2.0">\ufeff</rss>',
    "declaration-1.1": '<?xml version="1.1"?>' + SHORT,
    "declaration-latin1": '<?xml version="1.0" encoding="ISO-8859-1"?>' + SHORT,
    "declaration-utf16": '<?xml version="1.0" encoding="UTF-16"?>' + SHORT,
    "declaration-utf7": '<?xml version="1.0" encoding="UTF-7"?>' + SHORT,
    "declaration-no-version": '<?xml encoding="UTF-8"?>' + SHORT,
    "declaration-order": '<?xml encoding="UTF-8" version="1.0"?>' + SHORT,
    "declaration-standalone-maybe": '<?xml version="1.0" standalone="maybe"?>' + SHORT,
    "declaration-late": "\n<?xml version=\"1.0\"?>" + SHORT,
    "declaration-twice": '<?xml version="1.0"?>' * 2 + SHORT,
    "declaration-alone": '<?xml version="1.0"?>',
    "text-4097": rss(title("x" * 4097)),
    "scheme-4097": media(title() + f'<media:rating scheme="{"x" * 4097}">a</media:rating>'),
    "text-4097-in-pieces": rss(title("x" * 4000 + "<![CDATA[" + "y" * 97 + "]]>")),
    "elements-513": rss(title() + "<item/>" * 510),
    "depth": "<rss version=\"2.0\">" * 20 + "</rss>" * 20,
    "deep-items": rss(title() + "<item>" * 20 + "</item>" * 20),
    "64-kib-of-items": rss(title() + "<item/>" * 9_000),
    "64-kib-of-attributes": "<rss " + " ".join(f'a{n}="1"' for n in range(7_000)) + "/>",
    "64-kib-of-name": "<" + "r" * 60_000 + "/>",
    "64-kib-of-references": rss(title("&#x0000041;" * 5_000)),
    "64-kib-of-white-space": rss(title() + " " * 60_000).replace("</rss>", ""),
}

# What a token cannot hold, and an expectation may be written with.
UNSIGNABLE = {
    "nul": rss(title("T\0")), "nul-between": rss("\0" + title()), "escape-character": rss(title("\x1b[31m")),
    "vertical-tab": rss("\x0b" + title()), "fffe": rss(title("\ufffe")), "ffff": rss(title("\uffff")),
    "65537-bytes": SHORT + " " * (65_537 - len(SHORT)), "nul-first": "\0" + SHORT,
}

CHANNELS = {
    "plain": (PLAIN, "TNT", SAME),
    "short": (SHORT, "TNT", SAME),
    "rated": (RATED, "TNT", SAME),
    "asset": (ASSET, "P", SAME),
    "asset-other-spelling": ("<?xml version='1.0'?>\n" + ASSET.replace('"', "'"), "P", SAME),
    "escaped-title": (rss(title("A&amp;E")), "A&E", SAME),
    "escaped-plain": ("A&amp;E", "A&amp;E", SAME),
    "white-space": (" TNT", " TNT", SAME),
    "inner-less-than": ("a<b", "a<b", SAME),
    "beyond-ascii": (rss(title("é")), "é", SAME),
    "item-of-this-name": (rss(title("HBO") + "<item><title>TNT</title><guid>TNT</guid></item>"), "TNT", OTHER),
    "plain-other": ("HBO", "TNT", OTHER),
    "plain-case": ("tnt", "TNT", OTHER),
    "plain-space": ("TNT ", "TNT", OTHER),
    "plain-longer": ("TNT2", "TNT", OTHER),
    "document-other": (rss(title("HBO")), "TNT", OTHER),
    "document-space": (rss(title("TNT\n")), "TNT", OTHER),
    "document-prefix": (rss(title("TNTX")), "TNT", OTHER),
    "document-empty-title": (rss("<title/>"), "TNT", OTHER),
    "document-normal-form": (rss(title("Cafe\u0301")), "Caf\u00e9", OTHER),
    "title-of-escaped-document": ("&lt;rss>", "TNT", OTHER),
    "two-channels": (BROKEN["two-channels"], "TNT", NONE),
    "two-channels-second": (BROKEN["two-channels"], "HBO", NONE),
    "title-in-comment": (BROKEN["title-in-comment"], "HBO", NONE),
    "nested-rss": (BROKEN["nested-rss"], "TNT", NONE),
    "doctype": (BROKEN["doctype-entity"], "TNT", NONE),
    "byte-order-mark": (BROKEN["byte-order-mark"], "TNT", NONE),
    "default-namespace": (BROKEN["default-namespace"], "TNT", NONE),
    "64-kib-of-items": (BROKEN["64-kib-of-items"], "TNT", NONE),
    "no-document": ("<", "TNT", NONE),
}


def cases():
    """Every case: name, how it is expected, what is expected, the token's resource, the reason of the refusal or None."""
    for name, (text, expected) in SAME_DOCUMENTS.items():
        yield f"same-{name}", "document", expected, text, SAME
        yield f"same-{name}-swapped", "document", text, expected, SAME
    for name, (text, expected) in OTHER_DOCUMENTS.items():
        yield f"other-{name}", "document", expected, text, OTHER
        if media_rss.is_meant_as_document(text):
            yield f"other-{name}-swapped", "document", text, expected, OTHER
    for name, text in (BROKEN | UNSIGNABLE).items():
        yield f"broken-{name}", "document", SHORT, text, NONE if media_rss.is_meant_as_document(text) else OTHER
    for name, (text, channel, reason) in CHANNELS.items():
        yield f"channel-{name}", "channel", channel, text, reason


def by_model(kind, expected, text):
    if not media_rss.is_meant_as_document(text):
        return SAME if kind == "channel" and text == expected else OTHER
    try:
        found = media_rss.read(text)
    except media_rss.NotADocument:
        return NONE
    return SAME if (found[0] == expected if kind == "channel" else found == media_rss.read(expected)) else OTHER


def is_signable(text):
    """Whether a token has room for it, and XML a way to say it."""
    return len(_xml(text)) <= 60_000 * 1.08 and not any(ord(c) < 32 and c not in "\t\r\n" or c in "\ufffe\uffff" for c in text)


def _xml(text):
    return "<![CDATA[" + text.replace("]]>", "]]]]><![CDATA[>").replace("\r", "]]>&#13;<![CDATA[") + "]]>"


def add(v):
    for name, kind, expected, text, reason in cases():
        assert by_model(kind, expected, text) == reason, (name, by_model(kind, expected, text), reason)
        if not is_signable(text) or name.endswith("-swapped") and kind == "document" and len(text) > 20_000:
            continue
        received = token(body(resourceID=_xml(text)))
        policy = [("resource-" + kind, percent(expected.encode()).decode())]
        comment = "a resource that is a document" + (" (case 209)" if reason == NONE else "")
        if reason is SAME:
            v.expecting(f"document-{name}", comment, None, None, received, policy)
        else:
            v.expecting(f"document-{name}", comment, RESOURCE, reason, received, policy)


def table():
    """The cases of less than 16 KiB as JSON, for tests that issue tokens of their own, or none."""
    rows = [{"name": name, "kind": kind, "expected": expected, "resource": text, "reason": reason,
             "signable": is_signable(text)} for name, kind, expected, text, reason in cases() if len(expected + text) < 16_384]
    return (json.dumps(rows, ensure_ascii=True, indent=0) + "\n").encode()
