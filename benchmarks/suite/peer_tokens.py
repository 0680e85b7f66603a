"""One token in three spellings: as Adobe signs it, as a JSON web token, and as XML with an enveloped signature.

All are signed by the same key and hold the same six fields; only the product's own `mediatoken issue` makes the fields.
"""

import base64
import datetime
import hashlib
import json
import re

from suite.bench import run

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


def token_files(bench, bits, forms, count):
    """For each form the paths of files: `count` valid tokens, and one of each kind that must be refused."""
    private, _, _ = bench.key(bits)
    valid = issue(bench, private, count=count)
    other = {
        "for another requestor": issue(bench, private, requestor="REF31"),
        "for another resource": issue(bench, private, resource="TBS"),
        "expired": issue(bench, private, issue_time="2020-01-01T00:00:00Z"),
        "not yet valid": issue(bench, private, issue_time="2200-01-01T00:00:00Z"),
    }
    foreign = bench.key(bits, "foreign-")[0]
    files = {}
    for form in forms:
        good = [spell(form, token, private) for token in valid]
        kinds = {"valid": good, "forged": [forge(form, good[0])],
                 "signed by another key": [spell(form, token, foreign) for token in issue(bench, foreign)]}
        kinds |= {kind: [spell(form, token, private) for token in tokens] for kind, tokens in other.items()}
        files[form] = {kind: bench.work / f"peers-{bits}-{form}-{kind.replace(' ', '-')}" for kind in kinds}
        for kind, tokens in kinds.items():
            files[form][kind].write_bytes(b"".join(token + b"\n" for token in tokens))
    return files


def issue(bench, key, *, requestor="REF30", resource="TNT", count=1, issue_time=None):
    words = [bench.product / "mediatoken", "issue", "--key", key, "--requestor", requestor, "--resource", resource,
             "--ttl", "86400000", "--count", str(count)]
    words += ["--issue-time", issue_time] if issue_time else []
    return run(*words).splitlines()


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
    signed = b".".join(url_safe(compact(part)) for part in ({"alg": "RS256", "typ": "JWT"}, claims))
    return signed + b"." + url_safe(sign(key, signed))


def signed_xml(body, key):
    info = SIGNED_INFO % base64.b64encode(hashlib.sha256(body).digest()).decode()
    value = base64.b64encode(sign(key, info.encode())).decode()
    signature = f'<Signature xmlns="{DSIG}">{info}<SignatureValue>{value}</SignatureValue></Signature>'
    end = b"</authToken>"
    return body.removesuffix(end) + signature.encode() + end


def sign(key, message):
    return run("openssl", "dgst", "-sha256", "-sign", key, input=message)


def compact(value):
    return json.dumps(value, separators=(",", ":")).encode()


def url_safe(value):
    return base64.urlsafe_b64encode(value).rstrip(b"=")


def change(signed):
    changed = signed.replace(b"Sample_MVPD", b"Sample_MVPE")
    assert changed != signed, "the field to be changed is not there"
    return changed
