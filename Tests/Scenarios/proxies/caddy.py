#!/usr/bin/env python3
"""Playback behind Debian's Caddy, configured by deploy/caddy."""
import os
import socket
import subprocess
import sys

from playback import Playback, Relay, free_port, rendered, wait_for


class Caddy:
    name, programs, sample = "Caddy", ["caddy"], "caddy/mediatokend.json"
    takes_the_first_header = False

    def __init__(self):
        self.process = None

    def start(self, work, daemon):
        self.work, self.port = work, free_port()
        self.run(daemon)

    def run(self, daemon):
        with open(f"{self.work}/Caddyfile", "w", encoding="utf-8") as file:
            file.write(rendered("caddy/Caddyfile", {
                "/run/mediatokend/mediatokend.sock": daemon, "127.0.0.1:8080": f"127.0.0.1:{self.port}",
                "/srv/media": f"{self.work}/media"}))
        home = dict(os.environ, HOME=self.work, XDG_DATA_HOME=self.work, XDG_CONFIG_HOME=self.work)
        self.process = subprocess.Popen(
            ["caddy", "run", "--config", f"{self.work}/Caddyfile", "--adapter", "caddyfile"], env=home,
            stderr=open(f"{self.work}/caddy.log", "wb"))
        wait_for(self.listens, "caddy", self.process)

    def listens(self):
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def stop(self):
        if self.process is not None:
            self.process.terminate()
            self.process.wait(10)

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
