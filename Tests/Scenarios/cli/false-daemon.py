# Part of query.sh: answers one connection after another at a socket with everything that is not a proper answer about the token
# with the given identity, and finally with two proper ones; the last one contains every sequence that a terminal might obey.
# Without an identity it answers questions of health: twice as a daemon that is not ready, then with what says nothing.
import socket
import sys

OURS = sys.argv[2].encode() if len(sys.argv) > 2 else b""
VALID = b'{"verdict":"VALID_TOKEN","number":0,"requestorID":"%s","resourceID":"TNT","identity":"' + OURS + b'"}'
HOSTILE = "\\u001b]0;x\\u0007\\u0085\x7f\x9b31m\u202e\u2028\U000e0041".encode()


def whole(status, body, kind=b"application/json"):
    return b"HTTP/1.1 %s X\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s" % (status, kind, len(body), body)


ANSWERS = [
    b"",
    b"VALID_TOKEN\n",
    whole(b"200", b"{}"),
    whole(b"200", b"VALID_TOKEN", b"text/plain"),
    whole(b"200", VALID % b"REF30", b"text/plain"),
    whole(b"403", VALID % b"REF30"),
    whole(b"204", VALID % b"REF30"),
    whole(b"200", VALID.replace(b":0", b":1") % b"REF30"),
    whole(b"200", VALID % b"OTHER"),
    whole(b"200", (VALID % b"REF30").replace(OURS, OURS[1:])),
    whole(b"200", (VALID % b"REF30").replace(OURS, b"a" * 64)),
    whole(b"200", (VALID % b"REF30").replace(OURS, OURS.upper())),
    whole(b"200", (VALID % b"REF30").replace(b',"identity":"' + OURS + b'"', b"")),
    whole(b"403", b'{"verdict":"TOKEN_REPLAYED","number":8,"identity":"' + b"a" * 64 + b'"}'),
    whole(b"200", b'{"verdict":"TOKEN_EXPIRED","number":3,"reason":"expired"}'),
    whole(b"200", VALID % b"REF30" + b"x"),
    whole(b"200", VALID % b"REF30")[:-1],
    b"HTTP/1.1 302 X\r\nLocation: http://localhost/\r\nContent-Length: 0\r\n\r\n",
    whole(b"503", b'{"fault":"REPLAY_MEMORY_FULL","number":66}'),
    whole(b"200", b'{"verdict":"VALID_TOKEN","x":"' + b"y" * (2 << 20) + b'"}'),
    whole(b"200", VALID % b"REF30"),
    whole(b"200", (VALID % b"REF30").replace(b'"}', b'",\r\n\t"' + HOSTILE + b'":"' + HOSTILE + b'"}')),
    whole(b"200", (VALID % b"REF30").replace(b'"}', b'",\r\n\t"' + HOSTILE + b'":"' + HOSTILE + b'"}')),
]
UNREADY = b'{"status":"not-ready","reason":"replay-memory-full","detail":"full","cure":"grow it"}'
HEALTH = [
    whole(b"503", UNREADY),
    whole(b"503", UNREADY),
    b"",
    b"ready\n",
    whole(b"200", b"{}"),
    whole(b"200", b"ready", b"text/plain"),
    whole(b"200", b'{"status":"ready"}', b"text/plain"),
    whole(b"200", b'{"status":["ready"]}'),
    whole(b"200", b'{"status":"Ready"}'),
    whole(b"200", b'{"status":"live"}'),
    whole(b"200", UNREADY),
    whole(b"503", b'{"status":"ready"}'),
    whole(b"204", b'{"status":"ready"}'),
    whole(b"200", b'{"status":"ready"}x'),
    whole(b"200", b'{"status":"ready"}')[:-1],
    whole(b"503", b'{"error":"overloaded","detail":"too many"}'),
    b"HTTP/1.1 302 X\r\nLocation: http://localhost/livez\r\nContent-Length: 0\r\n\r\n",
    whole(b"200", b'{"status":"ready"}'),
]
ALL = ANSWERS if OURS else HEALTH

server = socket.socket(socket.AF_UNIX)
server.bind(sys.argv[1])
server.listen(1)
print(len(ALL), flush=True)
for answer in ALL:
    connection, _ = server.accept()
    connection.recv(1 << 16)
    try:
        connection.sendall(answer)
    except OSError:
        pass
    connection.close()
