"""Searches what an origin receives, and all files, where no token may be, for every piece of 16 bytes of every token in every
form."""
import base64
import contextlib
import os
import socket
import struct
import threading
from urllib.parse import quote

from scenario import until

PIECE = 16


def forms(token):
    """A base64 token as it may be written: raw, base64, percent-encoded."""
    raw = base64.b64decode(token)
    texts = [raw, token.encode(), quote(raw, safe="").encode(), quote(token, safe="").encode(),
             base64.urlsafe_b64encode(raw), quote(quote(token, safe=""), safe="").encode()]
    return texts + [text.lower() for text in texts[2:4]]


def pieces(tokens):
    return pieces_of(text for token in tokens for text in forms(token))


def pieces_of(texts):
    return {text[start:start + PIECE] for text in texts for start in range(len(text) - PIECE + 1)}


def found(known, data):
    """The first piece of a token in some bytes, or nothing."""
    for start in range(len(data) - PIECE + 1):
        if data[start:start + PIECE] in known:
            return data[max(0, start - 60):start + 80]
    return None


def files(folders, since):
    """Every file that was written since then, with its bytes."""
    for folder in folders:
        for parent, _, names in os.walk(folder):
            for name in names:
                path = os.path.join(parent, name)
                # One may be taken away meanwhile.
                with contextlib.suppress(FileNotFoundError):
                    if os.path.isfile(path) and not os.path.islink(path) and os.stat(path).st_mtime >= since:
                        with open(path, "rb") as file:
                            data = file.read()
                        yield path, data


class Wire:
    """Every byte that is sent to a port of loopback, no matter who listens there."""

    def __init__(self, port):
        self.port, self.data, self.lost = port, {}, False
        self.heard = set()
        # ETH_P_ALL (packet(7)); SO_RCVBUFFORCE is 33 (socket(7)).
        self.socket = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(3))
        self.socket.setsockopt(socket.SOL_SOCKET, 33, 64 << 20)
        self.socket.bind(("lo", 3))
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        while True:
            packet, address = self.socket.recvfrom(1 << 17)
            # PACKET_OUTGOING is 4: loopback shows each packet twice. IPv4 and TCP only (RFC 791, RFC 9293).
            if address[2] != 4 or packet[0] >> 4 != 4 or packet[9] != 6:
                continue
            start = (packet[0] & 15) * 4
            source, target = struct.unpack_from("!HH", packet, start)
            if target == self.port:
                self.heard.add(source)
                begin = start + (packet[start + 12] >> 4) * 4
                end = struct.unpack_from("!H", packet, 2)[0] or len(packet)
                self.data[source] = self.data.get(source, b"") + packet[begin:end]

    def hear_all(self):
        """Packets come in order: once a connection of ours is heard, so is all that was sent before."""
        with socket.socket() as mark:
            mark.bind(("127.0.0.1", 0))
            source = mark.getsockname()[1]
            self.heard.discard(source)
            mark.connect_ex(("127.0.0.1", self.port))
            if not until(60, lambda: source in self.heard):
                raise RuntimeError("the wire is not listened to")

    def bytes(self):
        """All of it; asserts that the kernel dropped nothing."""
        self.hear_all()
        # SOL_PACKET 263, PACKET_STATISTICS 6: packets and drops since the last look (packet(7)).
        _, dropped = struct.unpack("II", self.socket.getsockopt(263, 6, 8))
        self.lost = self.lost or dropped > 0
        return b"\n".join(list(self.data.values()))
