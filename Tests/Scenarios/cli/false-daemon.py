# Part of query.sh: answers one connection after another at a socket with whatever is not a proper answer about the token of
# the identity that it is given, and at last with two that are; the last one has all that a terminal might obey.
import socket
import sys

VALID = b'{"verdict":"VALID_TOKEN","number":0,"requestorID":"%s","resourceID":"TNT","identity":"' + sys.argv[2].encode() + b'"}'
OURS = sys.argv[2].encode()
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
    whole(b"403", b'{"error":"peer","detail":"neither this user nor its group may ask here"}'),
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

server = socket.socket(socket.AF_UNIX)
server.bind(sys.argv[1])
server.listen(1)
print(len(ANSWERS), flush=True)
for answer in ANSWERS:
    connection, _ = server.accept()
    connection.recv(1 << 16)
    try:
        connection.sendall(answer)
    except OSError:
        pass
    connection.close()
