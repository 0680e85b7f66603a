"""Walks of the runbooks about keys."""

import os
import re

from installed import KEYS, ask, configure, fresh, get, new_key, sh, tokens, walks
from scenario import check, until


def other_key():
    def provoke():
        new_key()
        check("tokens of another key are refused", ask(tokens(2000, "/root/walk/new.private.pem")) == 0)

    def cure():
        walks.look("MediaTokenRefusalsJump", 0, "signature-mismatch")
        walks.look("MediaTokenIssuerChanged", 0, "/etc/mediatoken/keys/ours.pem")
        walks.do("MediaTokenIssuerChanged")
        check("tokens of the new key are valid", until(60, lambda: ask(tokens(2000, "/root/walk/new.private.pem")) == 2000))

    fresh()
    walks.walk("MediaTokenRefusalsJump", provoke, cure, also=["MediaTokenIssuerChanged"])


def date():
    def provoke():
        sh("openssl req -x509 -newkey rsa:2048 -nodes -keyout old.private.pem -out old.pem -days 9 -subj /CN=issuer 2>/dev/null")
        sh(f"install -m 644 old.pem {KEYS}/old.pem; systemctl reload mediatokend")
        check("a key with a date is trusted", until(60, lambda: "mediatoken_key_not_after" in get("/metrics")))

    def cure():
        new_key()
        walks.do("MediaTokenKeyNearsItsDate")
        os.remove(KEYS + "/old.pem")

    fresh()
    walks.walk("MediaTokenKeyNearsItsDate", provoke, cure,
         lambda: "mediatoken_key_not_after" not in get("/metrics") and get("/metrics").count("mediatoken_key_info{") == 2)


def weak():
    fresh()
    sh("openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:1536 -out weak.private.pem 2>/dev/null;"
       "openssl pkey -in weak.private.pem -pubout -out weak.pem")
    fingerprint = re.findall("[0-9a-f]{64}", sh("mediatoken keys list --keys weak.pem", is_checked=False))[0]

    def provoke():
        sh(f"install -m 644 weak.pem {KEYS}/weak.pem")
        configure(allowRSA1024=[fingerprint])
        sh("systemctl reload mediatokend")
        check("tokens of the weak key are valid", until(60, lambda: ask(tokens(50, "/root/walk/weak.private.pem")) == 50))

    def cure():
        walks.look("MediaTokenWeakKey", 0, rf"1536(?s:.*){fingerprint}")
        os.remove(KEYS + "/weak.pem")
        configure()
        walks.do("MediaTokenWeakKey")

    walks.walk("MediaTokenWeakKey", provoke, cure, lambda: get("/metrics").count("mediatoken_key_info{") == 1)
