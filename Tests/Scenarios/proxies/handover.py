#!/usr/bin/env -S python3 -B
"""The hand-over of the article Proxies, typed as it says: nginx gives segments to those who have the cookies that came with
the playlist."""
import os
import re
import subprocess
import sys

sys.path.insert(1, sys.path[0] + "/../lib")

from machine import blocks, enter
from nginx import Nginx
from playback import Playback
from scenario import check, finish
from viewers import START

SECTION = "## Handing over to a CDN"
SITE = "/etc/nginx/conf.d/mediatoken.conf"


def put_in_place():
    """In place of the location of segments."""
    with open(SITE, encoding="utf-8") as file:
        text, number = re.subn(r'(?ms)^  location ~ "\^.*?^  }\n', lambda _: blocks(SECTION, "nginx")[0], file.read())
    if number != 1:
        sys.exit(f"expected one location of segments in {SITE}, found {number}")
    with open(SITE, "w", encoding="utf-8") as file:
        file.write(text)


class Handover(Playback):
    def cookies(self, folder="/live/tnt", later=0):
        """What the article's program sets, for a folder and at another time."""
        script = blocks(SECTION, "sh")[1].replace("/live/tnt", folder).replace("14400", str(14400 + later))
        printed = subprocess.run(["bash", "-eu", "-o", "pipefail", "-c", script], check=True, capture_output=True, text=True,
                                 env=dict(os.environ, key=self.key)).stdout
        pairs = re.findall(r"(?m)^Set-Cookie: ([^;]+); Path=([^;]+); Max-Age=-?\d+; Secure; HttpOnly$", printed)
        if len(pairs) != 2 or any(path != folder for _, path in pairs):
            sys.exit(f"expected two cookies for {folder}, found {printed}")
        return [("Cookie", "; ".join(pair for pair, _ in pairs))]

    def run(self):
        made, _ = blocks(SECTION, "sh")
        subprocess.run(["bash", "-eu", "-c", made], check=True)
        path = "/etc/nginx/conf.d/media-key.conf"
        with open(path, encoding="utf-8") as file:
            self.key = re.search(r"default ([0-9a-f]{64});", file.read())[1]
        check("only root reads the key", os.stat(path).st_mode & 0o777 == 0o600 and os.stat(path).st_uid == 0)
        put_in_place()
        self.prepare()
        self.start_proxy()
        try:
            self.hand_over()
        finally:
            self.proxy.stop()
            self.daemon.stop()
        return finish()

    def hand_over(self):
        segment = "/live/tnt/part0.ts"
        check("a token still gets the playlist", self.status(START, self.token()) == 200)
        self.is_refused("a segment without cookies", 403, segment)
        answer = self.get(segment, headers=self.cookies())
        check("a segment with them", answer.status == 200 and answer.body == self.media["part0.ts"], str(answer.status))
        check("every segment", self.plays("/live/tnt", self.token(), self.cookies()))
        self.is_refused("another folder's segment", 403, "/live/tbs/part0.ts", headers=self.cookies())
        check("and its own cookies open it", self.status("/live/tbs/part0.ts", headers=self.cookies("/live/tbs")) == 200)
        self.is_refused("cookies whose time has passed", 410, segment, headers=self.cookies(later=-14401))
        (name, text), = self.cookies()
        later = re.sub(r"media_until=(\d+)", lambda found: f"media_until={int(found[1]) + 9}", text)
        self.is_refused("a time that was not signed", 403, segment, headers=[(name, later)])
        self.key = "0" * 64
        self.is_refused("another key", 403, segment, headers=self.cookies())
        self.is_refused("the playlist, with cookies and no token", 401, START, headers=[(name, text)])
        self.is_refused("another method", 405, segment, headers=[(name, text)], method="POST")


enter("nginx", "openssl")
sys.exit(Handover(Nginx()).run())
