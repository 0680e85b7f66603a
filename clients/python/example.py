"""Says whether a token may play: example.py SOCKET REQUESTOR RESOURCE < token"""

import sys

import mediatoken

address, requestor, resource = sys.argv[1:]
daemon = mediatoken.Client(address)
try:
    token = daemon.verify(sys.stdin.read(), requestor=requestor, resource=resource)
except mediatoken.NotValid as problem:
    sys.exit(f"do not play: {problem}; then {problem.action}")
print(f"play {token.resource_id} until {token.expires_at:%H:%M:%S}")
