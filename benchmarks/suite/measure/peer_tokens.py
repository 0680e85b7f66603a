"""One token in three spellings: as Adobe signs it, as a JSON web token, and as XML with an enveloped signature.

All are signed by the same key and hold the same six fields; only the product's own `mediatoken issue` makes the fields.
"""

import base64
import datetime
import hashlib
import json
import re

from suite.measure.running import run

DSIG = "http://www.w3.org/2000/09/xmldsig#"
EXCLUSIVE_C14N = "http://www.w3.org/2001/10/xml-exc-c14n#"
# In canonical form already, so that its own bytes are what is signed.
SIGNED_INFO = (
    f'<SignedInfo xmlns="{DSIG}">'
    f'<CanonicalizationMethod Algorithm="{EXCLUSIVE_C14N}"></CanonicalizationMethod>'
    '<SignatureMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"></SignatureMethod>'
    '<Reference URI=""><Transforms>'
    f'<Transform Algorithm="{DSIG}enveloped-signature"></Transform>'
    f'<Transform Algorithm="{EXCLUSIVE_C14N}"></Transform></Transforms>'
    '<DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"></DigestMethod>'
    "<DigestValue>%s</DigestValue></Reference></SignedInfo>")


# What each kind of token is issued with, besides what all are issued with. All but the first must be refused.
KINDS = {
    "valid": {}, "signed by another key": {}, "for another requestor": {"requestor": "REF31"},
    "for another resource": {"resource": "TBS"}, "expired": {"issue-time": "2020-01-01T00:00:00Z"},
    "not yet valid": {"issue-time": "2200-01-01T00:00:00Z"},
}


def token_files(bench, bits, forms, count):
    """For each form the paths of files: `count` valid tokens, and one of each kind that must be refused."""
    files = {form: {} for form in forms}
    for kind, issued in KINDS.items():
        key = bench.key(bits, "foreign-" if kind == "signed by another key" else "").private
        options = {"requestor": "REF30", "resource": "TNT", "ttl": 86_400_000} | issued
        options["count"] = count if kind == "valid" else 1
        words = [word for name, value in options.items() for word in (f"--{name}", value)]
        tokens = run(bench.product / "mediatoken", "issue", "--key", key, *words).splitlines()
        for form, paths in files.items():
            paths[kind] = bench.work / f"peers-{bits}-{form}-{kind.replace(' ', '-')}"
            paths[kind].write_bytes(b"".join(spell(form, token, key) + b"\n" for token in tokens))
    for form, paths in files.items():
        paths["forged"] = bench.work / f"peers-{bits}-{form}-forged"
        paths["forged"].write_bytes(forge(form, paths["valid"].read_bytes().splitlines()[0]) + b"\n")
    return files


def spell(form, token, key):
    """A raw token in another form, signed by `key` once more."""
    if form == "raw":
        return token
    body = token.split(b"<signatureInfo>")[2]
    return json_web_token(body, key) if form == "jwt" else signed_xml(body, key)


def forge(form, token):
    """The same with one byte of what was signed changed, and still well-formed."""
    if form != "jwt":
        return change(token)
    header, payload, signature = token.split(b".")
    return b".".join([header, url_safe(change(base64.urlsafe_b64decode(payload + b"=="))), signature])


def json_web_token(body, key):
    fields = {name.decode(): text.decode() for name, text in re.findall(rb"<(\w+)>([^<]*)</\1>", body)}
    issued = int(datetime.datetime.strptime(fields["issueTime"], "%Y-%m-%d %H:%M:%S %z").timestamp())
    claims = {"sessionGUID": fields["sessionGUID"], "aud": fields["requestorID"], "resourceID": fields["resourceID"],
              "iat": issued, "exp": issued + int(fields["ttl"]) // 1000, "mvpdId": fields["mvpdId"]}
    signed = b".".join(url_safe(json.dumps(part, separators=(",", ":")).encode())
                       for part in ({"alg": "RS256", "typ": "JWT"}, claims))
    return signed + b"." + url_safe(sign(key, signed))


def signed_xml(body, key):
    info = SIGNED_INFO % base64.b64encode(hashlib.sha256(body).digest()).decode()
    value = base64.b64encode(sign(key, info.encode())).decode()
    signature = f'<Signature xmlns="{DSIG}">{info}<SignatureValue>{value}</SignatureValue></Signature>'
    end = b"</authToken>"
    return body.removesuffix(end) + signature.encode() + end


def sign(key, message):
    return run("openssl", "dgst", "-sha256", "-sign", key, input=message)


def url_safe(value):
    return base64.urlsafe_b64encode(value).rstrip(b"=")


def change(signed):
    changed = signed.replace(b"Sample_MVPD", b"Sample_MVPE")
    assert changed != signed, "the field to be changed is not there"
    return changed
