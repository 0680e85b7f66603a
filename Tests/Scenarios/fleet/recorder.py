"""Called by verifying.sh: passes bytes between a UNIX socket and a node, and writes down what goes to the node.

    recorder.py LISTEN NODE FILE
"""

import os
import socket
import sys
import threading

listen, node, path = sys.argv[1:]
record = open(path, "ab", buffering=0)


def pump(source, target, file=None):
    try:
        while data := source.recv(65536):
            if file:
                file.write(data)
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        pass


server = socket.socket(socket.AF_UNIX)
server.bind(listen + ".new")
server.listen(64)
# What is seen there listens.
os.rename(listen + ".new", listen)
while True:
    client, _ = server.accept()
    upstream = socket.socket(socket.AF_UNIX)
    upstream.connect(node)
    threading.Thread(target=pump, args=(client, upstream, record), daemon=True).start()
    threading.Thread(target=pump, args=(upstream, client), daemon=True).start()
