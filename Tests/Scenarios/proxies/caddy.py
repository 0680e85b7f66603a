#!/usr/bin/env python3
"""Playback behind Debian's Caddy, configured by deploy/caddy."""
import sys

sys.dont_write_bytecode = True

from playback import Playback, Proxy, Relay, rendered  # noqa: E402


class Caddy(Proxy):
    name, programs, sample = "Caddy", ["caddy"], "caddy/mediatokend.json"
    takes_the_first_header = False

    def run(self, daemon):
        with open(f"{self.work}/Caddyfile", "w", encoding="utf-8") as file:
            file.write(rendered("caddy/Caddyfile", {
                "/run/mediatokend/mediatokend.sock": daemon, "127.0.0.1:8080": f"127.0.0.1:{self.port}",
                "/srv/media": f"{self.work}/media"}))
        self.runs("caddy", "run", "--config", f"{self.work}/Caddyfile", "--adapter", "caddyfile",
                  HOME=self.work, XDG_DATA_HOME=self.work, XDG_CONFIG_HOME=self.work)

    def asked_twice(self, playback):
        """Caddy asks again on another connection when one that it kept was dropped before the answer."""
        claim, path = playback.claims.claim, "/live/tnt/index.m3u8"
        relay = Relay(f"{self.work}/relay.sock", playback.daemon.socket)
        self.stop()
        self.run(relay.path)
        for window, wanted in ((None, 200), (0, 403)):
            playback.daemon.restart(retry_window=window)
            # Behind a refusal: Caddy reads its body to the end, and only then is the connection used again.
            claim("a connection is kept", playback.status(path) == 401)
            found = playback.asks_twice(relay)
            claim(f"{'with' if window is None else 'without'} a retry window that is {wanted}", found == wanted, found)
        self.stop()
        self.run(playback.daemon.socket)
        playback.daemon.restart()


sys.exit(Playback(Caddy()).run())
