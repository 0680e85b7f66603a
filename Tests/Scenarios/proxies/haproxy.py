#!/usr/bin/env python3
"""Playback behind Debian's HAProxy, configured by deploy/haproxy."""
import functools
import http.server
import sys
import threading

sys.dont_write_bytecode = True

from playback import Playback, Proxy, Relay, rendered  # noqa: E402


class Origin(http.server.SimpleHTTPRequestHandler):
    """Serves the media, and remembers what it was asked with."""
    asked = []

    def do_GET(self):
        Origin.asked.append(dict(self.headers))
        super().do_GET()

    def log_message(self, *_):
        pass


class HAProxy(Proxy):
    name, programs, sample = "HAProxy", ["haproxy"], "haproxy/mediatokend.json"
    takes_the_first_header = False

    def start(self, work, daemon):
        self.origin = http.server.ThreadingHTTPServer(
            ("127.0.0.1", 0), functools.partial(Origin, directory=f"{work}/media"))
        threading.Thread(target=self.origin.serve_forever, daemon=True).start()
        super().start(work, daemon)

    def run(self, daemon):
        with open(f"{self.work}/mediatoken.lua", "w", encoding="utf-8") as file:
            file.write(rendered("haproxy/mediatoken.lua", {"/run/mediatokend/mediatokend.sock": daemon}))
        with open(f"{self.work}/haproxy.cfg", "w", encoding="utf-8") as file:
            file.write(rendered("haproxy/haproxy.cfg", {
                "log /dev/log local0": "log stderr format raw local0",
                "/etc/haproxy/mediatoken.lua": f"{self.work}/mediatoken.lua",
                "127.0.0.1:8080": f"127.0.0.1:{self.port}",
                "127.0.0.1:8081": f"127.0.0.1:{self.origin.server_address[1]}"}))

        self.runs("haproxy", "-db", "-f", f"{self.work}/haproxy.cfg")

    def asked_twice(self, playback):
        """HAProxy's client asks again when a connection is lost before the answer."""
        claim = playback.claims.claim
        Origin.asked.clear()
        claim("a token plays", playback.plays("/live/tnt", headers=[
            ("X-Media-Token", playback.token()), ("X-Media-Token-Mvpd", "mine")]))
        claim("the origin sees neither token nor what the viewer calls an answer",
              Origin.asked and not any(name.lower().startswith("x-media-token") for asked in Origin.asked for name in asked))
        relay = Relay(f"{self.work}/relay.sock", playback.daemon.socket)
        self.stop()
        self.run(relay.path)
        for window, wanted in ((0, 403), (None, 200)):
            playback.daemon.restart(retry_window=window)
            found = playback.asks_twice(relay)
            claim(f"{'with' if window is None else 'without'} a retry window that is {wanted}", found == wanted, found)
        self.stop()
        self.run(playback.daemon.socket)
        token = playback.token()
        claim("one request is one question: no second use", playback.status("/live/tnt/index.m3u8", token) == 200
              and playback.status("/live/tnt/index.m3u8", token) == 403)


sys.exit(Playback(HAProxy()).run())
