"""What the article Proxies says about TLS, typed as it says: over HTTP/2, under a name in TLS that is not the request's, and
under names that the proxy was not told, the rules are the same. A part of the scenarios in this folder."""
import os
import subprocess

from machine import blocks, change, run
from scenario import check
from viewers import START, Viewers

SECTION = "### With TLS and HTTP/2"
NAME = "media.example"


def make_certificate():
    run("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={NAME}", "-addext",
        f"subjectAltName=DNS:{NAME}", "-days", "1", "-out", "/etc/ssl/media.pem", "-keyout", "/etc/ssl/media.key")
    # Caddy reads it as its own user.
    os.chmod("/etc/ssl/media.key", 0o644)
    with open("/etc/ssl/media.both", "w", encoding="utf-8") as both:
        for name in ("pem", "key"):
            with open(f"/etc/ssl/media.{name}", encoding="utf-8") as file:
                both.write(file.read())


class Secured(Viewers):
    """The same viewers, with TLS."""

    def over_tls(self):
        if not self.proxy.plain_lines:
            return
        self.proxy.stop()
        make_certificate()
        change(self.proxy.site, *zip(self.proxy.plain_lines, blocks(SECTION, self.proxy.language)))
        self.start_proxy(port=443)
        for http, version in (("--http2", "2"), ("--http1.1", "1.1")):
            self.judge(http, version)
        self.proxy.stop()
        self.proxy.put_files()
        self.start_proxy()

    def judge(self, http, version):
        self.keeps_cookies(http, version)
        token, other = self.token(), self.token()
        said = [self.ask(http), *(self.ask(http, "-H", f"X-Media-Token: {token}") for _ in range(2))]
        check(f"TLS, HTTP/{version}: a token plays once", said == [f"{code} {version}" for code in (401, 200, 403)], str(said))
        said = self.ask(http, "-H", f"X-Media-Token: {token}", "-H", f"X-Media-Token: {other}")
        check(f"TLS, HTTP/{version}: two tokens are refused", said == f"403 {version}", said)
        said = self.ask(http, "-X", "OPTIONS")
        check(f"TLS, HTTP/{version}: a preflight is answered", said == f"204 {version}", said)
        for path in ("/trailers/../live/tnt/index.m3u8", "/live/tnt/index.m3u8;.ts", "/live/tnt/part.ts/../index.m3u8"):
            said = self.ask(http, path=path)
            check(f"TLS, HTTP/{version}: {path} lets no viewer in", said[:3] in ("400", "401", "403"), said)
        for host, name in (("other.example", NAME), (NAME, "other.example"), ("other.example", "other.example")):
            said = [self.ask(http, host=host, name=name), self.ask(http, host=host, name=name, path="/")]
            # 000: no answer, because there is no certificate for that name.
            wanted = ("401", "403", "421") if name == NAME else ("401", "403", "421", "000")
            check(f"TLS, HTTP/{version}: host {host} on a connection for {name} lets no viewer in", all(one[:3] in wanted for one in said), str(said))

    def keeps_cookies(self, http, version):
        """A program that keeps cookies as browsers do sends them to this folder and to no other."""
        jar = f"/tmp/jar-{version}"
        said = [self.ask(http, "-c", jar, "-H", f"X-Media-Token: {self.token()}"),
                *(self.ask(http, "-b", jar, path=path) for path in (START, "/live/tnt/part0.ts", "/live/tbs/part0.ts")),
                self.ask(http, path="/live/tnt/part0.ts")]
        wanted = [f"{code} {version}" for code in (200, 200, 200, 401, 401)]
        check(f"TLS, HTTP/{version}: curl keeps the cookies and plays", said == wanted, str(said))
        os.unlink(jar)

    def ask(self, *arguments, host=NAME, name=NAME, path=START):
        """What curl sees of a request for a host on a connection that was made for a name: status and HTTP."""
        return subprocess.run(
            ["curl", "-s", "-k", "-o", "/dev/null", "-w", "%{http_code} %{http_version}", "--path-as-is", "--max-time", "60",
             "--resolve", f"{name}:443:127.0.0.1", "-H", f"Host: {host}", *arguments, f"https://{name}{path}"],
            capture_output=True, text=True, check=False).stdout
