#!/usr/bin/env -S python3 -B
"""Playback behind Debian's nginx, configured by deploy/nginx."""
import subprocess
import sys

sys.path.insert(1, sys.path[0] + "/../lib")

from credentials import SecureLink
from machine import URGENTLY, change, enter, install, make_keys, run
from playback import Playback


class Nginx:
    name, sample = "nginx", "nginx/mediatokend.json"
    logs = ["/var/log/nginx/playback.log"]
    speaks_http2 = False
    # In another HTTP, without a token, as curl sees it; 000: no answer, as what is not understood ends the connection.
    without_token = {"--http1.0": "401", "--http2": "401", "--http2-prior-knowledge": "000"}
    head_of_a_good_token = 200
    says_no_answer = rb"daemon:502 - - "
    # What may be between the words of X-Media-Token (RFC 9110, section 5.6.2).
    separators = "-_.~"
    moves_its_origin = True
    asks_twice = True
    # Seconds after which it gives up or asks again by itself: proxy_connect_timeout.
    shortest_limit = 0.5
    keeps_a_connection_after = ["/trailers/index.m3u8"]

    credential, keys, checker = SecureLink, 0, None
    knows_two_keys = False
    # A segment with no cookie that opens it.
    without_cookie = 403

    site = "/etc/nginx/conf.d/mediatoken.conf"
    language, plain_lines = "nginx", ["  listen 127.0.0.1:8080;\n"]

    def __init__(self):
        self.put_files()
        make_keys(self.keys)
        run("usermod", "-aG", "mediatokend", "www-data")

    def put_files(self):
        install("nginx/mediatoken.conf", self.site)

    def move_origin(self):
        change(self.site, ("  listen 127.0.0.1:8081;", "  listen 127.0.0.1:8082;"))

    def start(self):
        self.process = subprocess.Popen([*URGENTLY, "nginx", "-g", "daemon off;"])

    def stop(self):
        self.process.terminate()
        self.process.wait(60)


if __name__ == "__main__":
    enter("nginx", "openssl", "node")
    sys.exit(Playback(Nginx()).run())
