"""Pictures of the page for the article SupportDesk. Each says in a text chunk of what page it is, so that none can be out of date."""

import hashlib
import re
import struct
import zlib

KEYWORD = b"Source"


def digest(folder):
    """Of the page's files, in their order by name."""
    files = sorted(file for file in folder.iterdir() if file.is_file())
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


def chunks(png):
    """Each chunk's type, its content and all of it."""
    place = 8
    while place < len(png):
        length, kind = struct.unpack(">I4s", png[place:place + 8])
        yield kind, png[place + 8:place + 8 + length], png[place:place + 12 + length]
        place += 12 + length


def marked(png, text):
    content = KEYWORD + b"\0" + text.encode()
    mark = struct.pack(">I", len(content)) + b"tEXt" + content + struct.pack(">I", zlib.crc32(b"tEXt" + content))
    whole = b"".join(all_ + (mark if kind == b"IHDR" else b"") for kind, _, all_ in chunks(png))
    return png[:8] + whole


def mark_of(png):
    return next((content.partition(b"\0")[2].decode() for kind, content, _ in chunks(png)
                 if kind == b"tEXt" and content.startswith(KEYWORD + b"\0")), None)


def size(png):
    return struct.unpack(">II", next(content for kind, content, _ in chunks(png) if kind == b"IHDR")[:8])


def shown_in(article):
    """The names of the pictures that an article shows."""
    return re.findall(r"!\[[^\]]{40,}\]\(([\w-]+)\)", article)
