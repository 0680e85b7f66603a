"""What packagers call the files of a stream: names.tsv has them. A part of the scenarios in this folder."""
import os
import re
import shutil

from machine import change
from scenario import check
from viewers import START, Viewers

FOLDER = "/live/tnt/"
NAMES = os.path.join(os.path.dirname(__file__), "names.tsv")
#: None of them is plain.
CLOSED = [".a.ts", "a..ts", "a.ts.", "b./a.ts", ".b/a.ts", "a..b/a.ts", "...a.ts", "a;b.ts", "a%3D1.ts", "a.ts%00", "a+b.ts", "a*b.ts",
          "a&b.ts", "a'b.ts", "a!b.ts", "a$b.ts", "a|b.ts", "a[1].ts", ".ts", "b/.ts", "film.mp4#.ts", "film.mp4;.ts", ""]


class Names(Viewers):
    def names(self):
        with open(NAMES, encoding="utf-8") as file:
            found = {packager: names.split() for packager, names in (line.split("\t") for line in file)}
        every = sum(found.values(), [])
        check("there are packagers and the names of their files", len(found) > 10 and len(every) > 90, str(found))
        for name in [*every, "x", *CLOSED]:
            self.put(name)
        mine = self.cookies_of(self.get(START, self.token()))
        for packager, names in found.items():
            shut = [name for name in names if not self.opens(name, mine)]
            check(f"{packager}: the cookies open {len(names)} names", not shut, str(shut))
        check("the cookies open a name that says nothing", self.opens("x", mine))
        starts = [name for name in every if re.search(r"\.(m3u8|mpd)$|/[Mm]anifest[^/]*$", name)]
        shut = [name for name in starts if "Set-Cookie" not in self.get(FOLDER + name, self.token()).headers]
        check(f"a token starts by each of {len(starts)} playlists", len(starts) > 20 and not shut, str(shut))
        theirs = self.cookies_of(self.get("/live/tbs/index.m3u8", self.token("TBS")))
        for name in [*every, "x"]:
            for text, cookies in (("no cookies", []), ("another folder's", theirs)):
                self.is_closed(f"{name} with {text}", name, cookies)
        for name in CLOSED:
            self.is_closed(f"{name!r} with good cookies", name, mine)
        for method in ("POST", "PUT", "DELETE", "OPTIONS", "PROPFIND"):
            answer = self.get(f"{FOLDER}x", headers=mine, method=method)
            check(f"{method} of a name that says nothing, with good cookies, does nothing",
                  (answer.status >= 400 or answer.status == 204) and self.has_no_media(answer.body), str(answer.status))
        self.film()
        self.open_segments(every)

    def film(self):
        """In one file, as every player of such files fetches it: in parts."""
        token = self.token()
        first = self.get(f"{FOLDER}film.mp4", token, [("Range", "bytes=0-1")])
        cookies = self.cookies_of(first)
        parts = [self.status(f"{FOLDER}film.mp4", one, [*cookies, ("Range", f"bytes={start}-{start + 9}")])
                 for one in (token, None) for start in (2, 100)]
        check("a token starts a film, whose other parts come with its cookies", first.status in (200, 206) and parts == [first.status] * 4,
              str([first.status, *parts]))
        self.is_refused("a film's next part without cookies", 403, f"{FOLDER}film.mp4", token, headers=[("Range", "bytes=2-9")])

    def open_segments(self, every):
        """In a folder whose segments are open, as a CDN needs it that checks them itself, everything that may start needs a token."""
        self.proxy.stop()
        change(self.proxy.site, ("/trailers/", FOLDER))
        self.start_proxy()
        opened = {name for name in [*every, "x", *CLOSED] if self.opens(name, [])}
        check("without cookies segments open where a file says so", "seg-1.m4s" in {name.rsplit("/")[-1] for name in opened} and len(opened) > 20,
              str(opened))
        check("no playlist, film or unknown name opens where segments do", not [name for name in opened if not re.search(
            r"[.](ts|m4s|cmf[vat]|dash|aac|ac3|ec3|vtt|webvtt)$|init[^/]*[.]mp4$|/Fragments[(]", name)], str(opened))
        self.is_refused("a playlist where segments are open, without a token", 401, START)
        check("a token plays where segments are open", self.plays("/live/tnt", self.token()))
        self.proxy.stop()
        self.proxy.put_files()
        self.start_proxy()

    def put(self, name):
        path = f"/srv/media{FOLDER}{name}"
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if not os.path.exists(path):
            shutil.copyfile("/srv/media/live/tnt/part0.ts", path)

    def opens(self, name, cookies):
        answer = self.get(FOLDER + name, headers=cookies)
        return answer.status == 200 and answer.body in self.media.values()

    def is_closed(self, text, name, cookies):
        answer = self.get(FOLDER + name, headers=cookies)
        check(f"{text}: not opened", answer.status >= 400 and self.has_no_media(answer.body), str(answer.status))
