"""The example of playback has one proxy and an origin of files; what needs another origin, or another server next to it, has it here. A
part of browser.py."""
import os
import pathlib
import subprocess
import sys

from processes import free_port, launch
from scenario import path

HERE = pathlib.Path(__file__).parent


class Another:
    """The example's proxy once more, in front of an origin that holds its playlist back; and what serves players without cookies."""

    def __init__(self, example):
        self.folder, (port, origin) = path("low-" + example.proxy), (free_port(2), free_port())
        os.mkdir(self.folder)
        ffmpeg = ["ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25", "-t", "90", "-c:v", "libx264", "-preset",
                  "ultrafast", "-profile:v", "baseline", "-level", "3.0", "-pix_fmt", "yuv420p", "-g", "25", "-f", "hls", "-hls_time", "1"]
        subprocess.run([*ffmpeg, "-hls_segment_type", "fmp4", "-hls_playlist_type", "vod", "-hls_segment_filename", "%d.m4s", "made.m3u8"],
                       cwd=self.folder, check=True)
        (pathlib.Path(self.folder) / "asked").touch()
        launch([sys.executable, HERE / "browser/low_latency.py", self.folder, str(origin)])
        [work] = pathlib.Path(example.folder).iterdir()
        changes = [(f"127.0.0.1:{example.port + 1}", f"127.0.0.1:{origin}"), (f"127.0.0.1:{example.port}", f"127.0.0.1:{port}"),
                   (f"{work}/t", f"{self.folder}/t"), (f"pid {work}", f"pid {self.folder}"),
                   (f"include {work}/mediatoken.conf", f"include {self.folder}/mediatoken.conf"), ("127.0.0.1:8085", f"127.0.0.1:{port + 1}")]
        for name, end in (("mediatoken.conf", "# An origin of files"), ("without-cookies.conf", "# The end"), ("nginx.conf", "  server {"), ("haproxy.cfg", "# The end")):
            if (work / name).exists():
                text = (work / name).read_text()
                for old, new in changes:
                    text = text.replace(old, new)
                more = f"include {self.folder}/without-cookies.conf; }}" if name == "nginx.conf" else ""
                (pathlib.Path(self.folder) / name).write_text(text.split(end)[0] + more)
        launch({"nginx": ["nginx", "-p", self.folder, "-c", "nginx.conf", "-e", "stderr"],
                "haproxy": ["haproxy", "-db", "-f", f"{self.folder}/haproxy.cfg"]}[example.proxy], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.media, self.without_cookies = (f"http://127.0.0.1:{one}/" for one in (port, port + 1))

    def asked(self):
        """What the origin was asked for."""
        return (pathlib.Path(self.folder) / "asked").read_text().splitlines()
