"""What tokens are for: names, and MRSS documents of any length, as production sends them."""

HEAD = '<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel><title>{}</title>'
ITEM = ("<item><title>Episode {0:05}</title><guid>{0:08}</guid>"
        '<media:rating scheme="urn:v-chip">tv-pg</media:rating></item>')
TAIL = "</channel></rss>"

# A token of 60 KiB is nearly the longest there can be. Its resource fits no other form: they are longer.
MRSS = {"raw": 60 * 1024, "base64": 47 * 1024, "percent": 40 * 1024}


def resource(length):
    """A resource id of this length: a name, or from 256 bytes on an MRSS document in one line."""
    if length < 256:
        return ("channel" + "0" * length)[:length]
    items = (length - len(HEAD.format("") + TAIL)) // len(ITEM.format(0))
    body = "".join(ITEM.format(number) for number in range(items))
    title = "T" * (length - len(HEAD.format("") + body + TAIL))
    return HEAD.format(title) + body + TAIL
