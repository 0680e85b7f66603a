#!/usr/bin/env python3
"""Playback behind Debian's nginx, configured by deploy/nginx."""
import os
import sys

sys.dont_write_bytecode = True

from playback import Playback, Proxy, Relay, rendered  # noqa: E402


class Nginx(Proxy):
    name, programs, sample = "nginx", ["nginx"], "nginx/mediatokend.json"
    # nginx 1.22 hands on the first of two headers.
    takes_the_first_header = True

    def run(self, daemon):
        work = self.work
        site = rendered("nginx/mediatoken.conf", {
            "/run/mediatokend/mediatokend.sock": daemon, "127.0.0.1:8080": f"127.0.0.1:{self.port}",
            "/srv/media": f"{work}/media", "/var/log/nginx": work})
        temporary = "".join(
            f"{name}_temp_path {work}/nginx-{name};\n" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        with open(f"{work}/nginx.conf", "w", encoding="utf-8") as file:
            file.write(f"daemon off;\nworker_processes 1;\npid {work}/nginx.pid;\nerror_log {work}/nginx.log;\n"
                       f"{'user root;' if os.geteuid() == 0 else ''}\nevents {{ worker_connections 512; }}\n"
                       f"http {{\n{temporary}types {{ application/vnd.apple.mpegurl m3u8; video/mp2t ts; }}\n"
                       f"index index.m3u8;\n{site}\n}}\n")
        self.runs("nginx", "-p", work, "-e", f"{work}/nginx.log", "-c", f"{work}/nginx.conf")

    def asked_twice(self, playback):
        """An index is an internal redirect, and nginx asks again for where it leads; and on another connection when one that
        it kept is dropped before the answer."""
        claim = playback.claims.claim
        token = playback.token()
        claim("a folder's index plays, although nginx asks twice",
              playback.get("/live/tnt/", token).body == playback.media["index.m3u8"])
        claim("another request with that token does not", playback.status("/live/tnt/", token) == 403)
        playback.daemon.restart(retry_window=0)
        token = playback.token()
        claim("without a retry window the second question is refused", playback.status("/live/tnt/", token) == 403)
        claim("and a playlist that is asked for once plays", playback.plays("/live/tnt", playback.token()))
        relay = Relay(f"{self.work}/relay.sock", playback.daemon.socket)
        self.stop()
        self.run(relay.path)
        for window, wanted in ((0, 403), (None, 200)):
            playback.daemon.restart(retry_window=window)
            claim("a connection is kept", playback.status("/trailers/index.m3u8") == 200)
            found = playback.asks_twice(relay)
            claim(f"{'with' if window is None else 'without'} a retry window that is {wanted}", found == wanted, found)
        self.stop()
        self.run(playback.daemon.socket)


sys.exit(Playback(Nginx()).run())
