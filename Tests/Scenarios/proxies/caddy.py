#!/usr/bin/env -S python3 -B
"""Playback behind Debian's Caddy, configured by deploy/caddy."""
import subprocess
import sys

sys.path.insert(1, sys.path[0] + "/../lib")

from credentials import SecureLink
from machine import URGENTLY, Proxy, change, enter, install, make_keys, run, started_as
from playback import Playback


class Caddy(Proxy):
    name, sample = "Caddy", "caddy/mediatokend.json"
    logs = ["/var/log/caddy.log", "/var/log/nginx/cookies.log"]
    speaks_http2 = False
    without_token = {"--http1.0": "401", "--http2": "401", "--http2-prior-knowledge": "000"}
    # After a refusal: Caddy reads its body to the end, and only then is the connection used again.
    says_no_answer = rb"\"status\":503"
    # The only spellings that it removes, as the article Proxies says.
    separators = "-_"
    moves_its_origin = True
    keeps_a_connection_after = ["/live/tnt/index.m3u8"]

    credential, keys = SecureLink, 0

    site = "/etc/caddy/Caddyfile"
    site_line = "\theader Access-Control-Allow-Origin https://player.example\n"
    language, plain_lines = "caddyfile", ["http://127.0.0.1:8080 {\n\tbind 127.0.0.1\n", ":8080 {\n\tbind 127.0.0.1\n"]

    def __init__(self):
        self.put_files()
        make_keys(self.keys)
        install("caddy/segments.conf", "/etc/nginx/conf.d/mediatoken-segments.conf")
        self.start_checker()
        run("usermod", "-aG", "mediatokend", "caddy")

    def put_files(self):
        install("caddy/Caddyfile", self.site)

    def start_checker(self):
        self.checker = subprocess.Popen([*URGENTLY, "nginx", "-g", "daemon off;"])

    def move_origin(self):
        change(self.site, ("http://127.0.0.1:8081 {", "http://127.0.0.1:8082 {"))

    def start(self):
        # As Debian's unit does.
        may = ["--init-groups", "--inh-caps", "+net_bind_service", "--ambient-caps", "+net_bind_service"]
        self.process = started_as(
            "caddy", "caddy", "run", "--environ", "--config", self.site, log=self.logs[0], options=may)


enter("caddy", "nginx", "openssl")
sys.exit(Playback(Caddy()).run())
