# Part of query.sh: a daemon that answers one byte after another and never ends, at the first socket; and one at the second that has
# too many callers for half a second, and then answers a question about its health.
import socket
import sys
import threading
import time


def listening(path, backlog):
    server = socket.socket(socket.AF_UNIX)
    server.bind(path)
    server.listen(backlog)
    return server


def dribble(server):
    connection, _ = server.accept()
    while True:
        connection.sendall(b"x")
        time.sleep(0.05)


dribbling, crowded = listening(sys.argv[1], 1), listening(sys.argv[2], 0)
threading.Thread(target=dribble, args=[dribbling], daemon=True).start()
callers = [socket.socket(socket.AF_UNIX) for _ in range(8)]
try:
    for caller in callers:
        caller.setblocking(False)
        caller.connect(sys.argv[2])
except BlockingIOError:
    print("crowded", flush=True)
time.sleep(0.5)
while True:
    connection, _ = crowded.accept()
    connection.settimeout(0.2)
    try:
        if connection.recv(1 << 16):
            body = b'{"status":"live"}'
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))
            connection.close()
            break
    except TimeoutError:
        pass
time.sleep(60)
