"""What packagers call the files of a stream: the table of the article Proxies. A part of the scenarios in this folder."""
import os
import re
import shutil

from machine import article, change
from scenario import check
from viewers import START, Viewers

FOLDER = "/live/tnt/"
#: None of them is plain, or called like a part of a stream.
CLOSED = [".a.ts", "a..ts", "a.ts.", "b./a.ts", ".b/a.ts", "a..b/a.ts", "...a.ts", "a;b.ts", "a%3D1.ts", "a.ts%00", "a+b.ts", "a*b.ts",
          "a&b.ts", "a'b.ts", "a!b.ts", "a$b.ts", "a|b.ts", "a[1].ts", "a.TS", "a.tsx", "a.ts/a", "ts", ".ts", "b/.ts", "Fragments()",
          "Fragments(a", "Fragments(a)b", "aFragments(a)", "Manifest(a", "aManifest", "film.mp4", "initial.mp4", "myinitfilm.mp4", "init.mp4.mp4",
          "film.mp4?.ts", "film.mp4?/init.mp4", "film.mp4?/Fragments(a)", "film.mp4?a=/Manifest", "film.mp4#.ts", "film.mp4;.ts"]


class Names(Viewers):
    def names(self):
        rows = re.findall(r"(?m)^\| ([^|]+) \| (`.+`) \|$", article("### What packagers call files"))
        found = {packager: re.findall(r"`([^`]+)`", names) for packager, names in rows}
        later = found.pop("only after the next change")
        check("the article Proxies has packagers and the names of their files",
              len(found) > 10 and sum(map(len, found.values())) > 60, str(found))
        for name in [*sum(found.values(), []), *later, *(name.partition("?")[0] for name in CLOSED)]:
            self.put(name)
        mine = self.cookies_of(self.get(START, self.token()))
        for packager, names in found.items():
            shut = [name for name in names if not self.opens(name, mine)]
            check(f"{packager}: the cookies open {len(names)} names", not shut, str(shut))
        starts = [name for name in sum(found.values(), []) if re.search(r"\.(m3u8|mpd)$|/[Mm]anifest[^/]*$", name)]
        shut = [name for name in starts if "Set-Cookie" not in self.get(FOLDER + name, self.token()).headers]
        check(f"a token starts by each of {len(starts)} playlists", len(starts) > 20 and not shut, str(shut))
        theirs = self.cookies_of(self.get("/live/tbs/index.m3u8", self.token("TBS")))
        for name in [*sum(found.values(), []), *later]:
            for text, cookies in (("no cookies", []), ("another folder's", theirs)):
                self.is_closed(f"{name} with {text}", name, cookies)
        for name in [*CLOSED, *later]:
            self.is_closed(f"{name} with good cookies", name, mine)
        self.after_the_change(later, mine)

    def after_the_change(self, later, mine):
        old, new = reversed(re.search(r"write `([^`]+)` where the proxy's file has `([^`]+)`", article("### What packagers call files")).groups())
        self.proxy.stop()
        change(self.proxy.site, (old, new))
        self.start_proxy()
        check("after the article's change the cookies open the names that need it, and a film",
              all(self.opens(name, mine) for name in [*later, "film.mp4"]))
        for name in CLOSED:
            if ".mp4" not in name:
                self.is_closed(f"after the change {name} with good cookies", name, mine)
        self.is_closed("after the change a film without cookies", "film.mp4", [])
        token = self.token()
        first = self.get(f"{FOLDER}film.mp4", token, [("Range", "bytes=0-1")])
        check("a token starts a film, whose other parts come with its cookies", first.status in (200, 206) and self.status(
            f"{FOLDER}film.mp4", token, self.cookies_of(first)) == 200, str(first.status))
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
