#!/usr/bin/env -S python3 -B
"""Playback behind Debian's HAProxy, configured by deploy/haproxy."""
import subprocess
import sys

sys.path.insert(1, sys.path[0] + "/../lib")

from credentials import WebToken
from machine import ORIGIN, URGENTLY, Proxy, blocks, change, enter, install, keep_system_log, make_keys, run
from playback import Playback


class HAProxy(Proxy):
    name, sample = "HAProxy", "haproxy/mediatokend.json"
    logs = ["/var/log/haproxy.log"]
    without_token = {"--http1.0": "401", "--http2": "401", "--http2-prior-knowledge": "401"}
    says_no_answer = rb" 503 503 - "
    # Seconds after which it gives up or asks again by itself: timeout_milliseconds.
    shortest_limit = 0.25

    credential, keys = WebToken, 1
    knows_two_keys = True

    site = "/etc/haproxy/haproxy.cfg"
    site_line = "  http-after-response set-header Access-Control-Allow-Origin https://player.example\n"
    language, plain_lines = "haproxy", ["  bind 127.0.0.1:8080\n"]

    def __init__(self):
        self.put_files()
        make_keys(self.keys)
        keep_system_log(self.logs[0])
        ORIGIN.start()

    def put_files(self):
        install("haproxy/haproxy.cfg", self.site)
        install("haproxy/mediatoken.lua", "/etc/haproxy/mediatoken.lua")

    def add_key(self, private):
        """As the article says; what is returned takes it away again."""
        run("openssl", "pkey", "-in", private, "-pubout", "-out", "/etc/haproxy/mediatoken-2.pem")
        first = "  acl is_signed var(txn.cookie),jwt_verify(ES256,/etc/haproxy/mediatoken.pem) -m int 1\n"
        change(self.site, (first, first + blocks("### Keys of the cookies", "haproxy")[0]))
        return self.put_files

    def start(self):
        with open("/var/log/haproxy.stderr", "ab") as log:
            # As Debian's unit does.
            self.process = subprocess.Popen([*URGENTLY, "haproxy", "-Ws", "-f", self.site], stderr=log)


enter("haproxy", "openssl")
sys.exit(Playback(HAProxy()).run())
