"""The vectors of one run: the file format, and names that are given once."""

from .tokens import NOW, percent

VALID = "VALID_TOKEN"
FORMAT = "INVALID_TOKEN_FORMAT"
SIGNATURE = "INVALID_SIGNATURE"
EXPIRED = "TOKEN_EXPIRED"
NOT_YET = "TOKEN_NOT_YET_VALID"
REQUESTOR = "INVALID_REQUESTOR_ID"
RESOURCE = "INVALID_RESOURCE_ID"
MVPD = "MVPD_NOT_ALLOWED"

ANY = object()


class Collection:
    def __init__(self):
        self.files = {}

    def valid(self, name, comment, received, **header):
        self._add(name, comment, VALID, None, received, **header)

    def refused(self, name, comment, verdict, reason, received, **header):
        """`reason` is None where two rules are broken at once and either may be named."""
        self._add(name, comment, verdict, reason, received, **header)

    def malformed(self, name, comment, reason, received, **header):
        self._add(name, comment, FORMAT, reason, received, **header)

    def expecting(self, name, comment, verdict, reason, received, policy):
        """A token for a resource that `policy` says how to expect; without a verdict: valid."""
        self._add(name, comment, verdict or VALID, reason, received, resource=ANY, policy=policy)

    def _add(self, name, comment, verdict, reason, received, keys="rsa2048.pem", requestor=b"REF30",
             resource=b"TNT", now=NOW, policy=()):
        assert name + ".token" not in self.files, name
        lines = [f"comment: {comment}", f"expect: {verdict}"]
        if reason is not None:
            lines.append(f"reason: {reason}")
        lines.append(f"keys: {keys}")
        for header, value in (("requestor", requestor), ("resource", resource)):
            if value is not ANY:
                lines.append(f"{header}: {percent(value).decode()}")
        lines.append(f"now: {now}")
        lines += [f"{header}: {value}" for header, value in policy]
        assert not any("\n" in line for line in lines)
        self.files[name + ".token"] = "\n".join(lines).encode() + b"\n\n" + received
