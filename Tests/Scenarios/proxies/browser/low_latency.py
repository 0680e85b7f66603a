"""An origin of low-latency HLS: a part each second, and a playlist that is held back until it has the part that a player asked for
(draft-pantos-hls-rfc8216bis, section 6.2.5.2). ffmpeg makes the parts, and no such playlist.

low_latency.py FOLDER PORT: FOLDER has init.mp4 and parts of a second each, 0.m4s and on. What is asked for is written to FOLDER/asked."""
import contextlib
import http.server
import pathlib
import sys
import time
import urllib.parse

FOLDER, PORT = pathlib.Path(sys.argv[1]), int(sys.argv[2])
#: Parts of a segment, and those that are there when the first player comes.
PARTS, FIRST = 4, 12
TOTAL = len(list(FOLDER.glob("[0-9]*.m4s")))
began = 0


def there():
    """Parts that are there now."""
    return min(TOTAL, FIRST + int(time.monotonic() - began))


def playlist():
    lines = ["#EXTM3U", "#EXT-X-VERSION:9", f"#EXT-X-TARGETDURATION:{PARTS}", "#EXT-X-PART-INF:PART-TARGET=1.0",
             "#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=3.0", "#EXT-X-MEDIA-SEQUENCE:0", '#EXT-X-MAP:URI="init.mp4"']
    for part in range(there()):
        lines.append(f'#EXT-X-PART:DURATION=1.0,URI="{part}.m4s",INDEPENDENT=YES')
        if part % PARTS == PARTS - 1:
            lines += [f"#EXTINF:{PARTS}.0,", f"segment{part // PARTS}.m4s"]
    return ("\n".join(lines) + "\n").encode()


class Origin(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def handle(self):
        # A proxy may end a connection that it kept.
        with contextlib.suppress(ConnectionError):
            super().handle()

    def do_GET(self):
        global began
        path, _, query = self.path.partition("?")
        name = path.rsplit("/", 1)[1]
        with open(FOLDER / "asked", "a", encoding="utf-8") as asked:
            asked.write(f"{name}?{query}\n")
        if name == "master.m3u8":
            return self.answer(b'#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=800000,CODECS="avc1.42c01e"\nlow.m3u8\n')
        if name == "low.m3u8":
            began = began or time.monotonic()
            values = {key: int(value[0]) for key, value in urllib.parse.parse_qs(query).items()}
            if "_HLS_msn" in values:
                wanted = values["_HLS_msn"] * PARTS + values.get("_HLS_part", PARTS - 1)
                while there() <= min(wanted, TOTAL - 1):
                    time.sleep(0.02)
            return self.answer(playlist())
        if name.startswith("segment"):
            first = int(name[7:-4]) * PARTS
            return self.answer(b"".join((FOLDER / f"{part}.m4s").read_bytes() for part in range(first, first + PARTS)))
        return self.answer((FOLDER / name).read_bytes())

    def answer(self, body):
        self.send_response(200)
        self.send_header("Content-Type", "application/vnd.apple.mpegurl" if body.startswith(b"#EXTM3U") else "video/mp4")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


http.server.ThreadingHTTPServer(("127.0.0.1", PORT), Origin).serve_forever()
