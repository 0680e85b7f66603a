#!/usr/bin/env -S python3 -B
"""Playback behind Debian's nginx, configured by deploy/nginx."""
import subprocess
import sys

sys.path.insert(1, sys.path[0] + "/../lib")

from credentials import SecureLink
from machine import URGENTLY, Proxy, change, enter, install, make_keys, run
from playback import Playback


class Nginx(Proxy):
    name, sample = "nginx", "nginx/mediatokend.json"
    logs = ["/var/log/nginx/playback.log"]
    speaks_http2 = False
    without_token = {"--http1.0": "401", "--http2": "401", "--http2-prior-knowledge": "000"}
    says_no_answer = rb"daemon:502 - - "
    moves_its_origin = True
    keeps_a_connection_after = ["/trailers/index.m3u8"]

    credential, keys = SecureLink, 0

    site = "/etc/nginx/conf.d/mediatoken.conf"
    language, plain_lines = "nginx", ["  listen 127.0.0.1:8080;\n"]

    def __init__(self):
        self.put_files()
        make_keys(self.keys)
        run("usermod", "-aG", "mediatokend", "www-data")

    def several_sites(self, written):
        maps, lines = written("nginx")[:2]
        return [("# A path that can be read", maps + "# A path that can be read"),
                ("  add_header Access-Control-Allow-Origin https://player.example always;\n", lines)]

    def put_files(self):
        install("nginx/mediatoken.conf", self.site)

    def move_origin(self):
        change(self.site, ("  listen 127.0.0.1:8081;", "  listen 127.0.0.1:8082;"))

    def start(self):
        self.process = subprocess.Popen([*URGENTLY, "nginx", "-g", "daemon off;"])


if __name__ == "__main__":
    enter("nginx", "openssl", "node")
    sys.exit(Playback(Nginx()).run())
