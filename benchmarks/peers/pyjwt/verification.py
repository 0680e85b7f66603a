"""A contender: RS256 tokens verified by PyJWT: see BENCHMARKS.md, "peers".

verification.py KEY TOKENS     JSON web tokens, one per line, for the audience REF30 and the resource TNT
"""

import itertools
import pathlib
import sys
import time

import jwt
from cryptography.hazmat.primitives.serialization import load_pem_public_key

OPTIONS = {"require": ["exp", "iat", "aud", "sessionGUID", "mvpdId"]}


def verify(token, key):
    claims = jwt.decode(token, key, algorithms=["RS256"], audience="REF30", options=OPTIONS)
    if claims.get("resourceID") != "TNT":
        raise jwt.InvalidTokenError("it is for another resource")


def main():
    key = load_pem_public_key(pathlib.Path(sys.argv[1]).read_bytes())
    lines = pathlib.Path(sys.argv[2]).read_text().splitlines()
    tokens = itertools.cycle(enumerate(lines))
    print("ready", flush=True)
    for line in sys.stdin:
        wall, processor = time.monotonic_ns(), time.process_time_ns()
        for number, token in itertools.islice(tokens, int(line)):
            try:
                verify(token, key)
            except jwt.InvalidTokenError as refused:
                sys.exit(f"token {number} is not valid: {refused}")
        print(time.monotonic_ns() - wall, time.process_time_ns() - processor, flush=True)


main()
