"""Each line that ends with a comment is an error for mypy, and the comment is what it says."""

import mediatoken

daemon = mediatoken.Client("mediatokend.sock")
daemon.verify("token")  # Missing named argument
daemon.verify("token", "REF30", "TNT")  # Too many positional arguments
daemon.verify("token", requestor="REF30", resource=None)  # incompatible type "None"
daemon.verify(None, requestor="REF30", resource="TNT")  # incompatible type "None"
mediatoken.ValidToken("REF30")  # Missing positional arguments
token = daemon.verify("token", requestor="REF30", resource="TNT")
token.use = "first"  # is read-only
token.may_play  # has no attribute
