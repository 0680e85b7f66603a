#!/usr/bin/env -S python3 -B
"""Playback behind Debian's HAProxy, configured by deploy/haproxy."""
import subprocess
import sys

sys.path.insert(1, sys.path[0] + "/../lib")

from credentials import WebToken
from machine import ORIGIN, URGENTLY, blocks, change, enter, install, keep_system_log, make_keys, run
from playback import Playback


class HAProxy:
    name, sample = "HAProxy", "haproxy/mediatokend.json"
    logs = ["/var/log/haproxy.log"]
    speaks_http2 = True
    # In another HTTP, without a token, as curl sees it; 000: no answer, as what is not understood ends the connection.
    without_token = {"--http1.0": "401", "--http2": "401", "--http2-prior-knowledge": "401"}
    head_of_a_good_token = 200
    says_no_answer = rb" 503 503 - "
    # What may be between the words of X-Media-Token (RFC 9110, section 5.6.2).
    separators = "-_.~"
    moves_its_origin = False
    asks_twice = True
    # Seconds after which it gives up or asks again by itself: timeout_milliseconds.
    shortest_limit = 0.25
    keeps_a_connection_after = []

    credential, keys, checker = WebToken, 1, None
    knows_two_keys = True
    # A segment with no cookie that opens it.
    without_cookie = 403

    site = "/etc/haproxy/haproxy.cfg"
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

    def stop(self):
        self.process.terminate()
        self.process.wait(60)


enter("haproxy", "openssl")
sys.exit(Playback(HAProxy()).run())
