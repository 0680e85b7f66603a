"""A host through the C library, by 64 threads: `library_host.py ADDRESS KEYS FINGERPRINT WINDOW TABLE`, which may be empty.

Standard input has one question per line, `UID REQUEST|- TOKEN`; an empty line has all of them asked at once. The answers come in
the order of the questions."""

import concurrent.futures
import sys

from mediatoken import Refused, Unavailable, inprocess

address, keys, fingerprint, window, table = sys.argv[1:]
verifier = inprocess.Verifier([keys], replay=address, allow_rsa_1024=[fingerprint], retry_window=int(window),
                              fleet_deadline=0 if address.startswith("shared:") else 1, local_table=table or None)


def ask(line):
    uid, request, token = line.split()
    try:
        return verifier.verify(token, requestor="REF30", resource="TNT", request_id=None if request == "-" else request, caller_uid=int(uid)).use
    except Refused as refusal:
        return refusal.verdict
    except Unavailable as fault:
        return fault.name


questions = []
with concurrent.futures.ThreadPoolExecutor(64) as threads:
    for line in sys.stdin:
        if line.strip():
            questions.append(line)
        else:
            print("\n".join(threads.map(ask, questions)), flush=True)
            questions = []
