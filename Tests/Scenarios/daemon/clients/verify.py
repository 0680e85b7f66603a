# Part of clients.sh: Python's http.client over a UNIX socket. Prints status and verdict.
import http.client
import json
import socket
import sys


class LocalConnection(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("localhost", timeout=60)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


connection = LocalConnection(sys.argv[1])
body = json.dumps({"token": open(sys.argv[2]).read(), "requestor": "REF30", "resource": "TNT"})
connection.request("POST", "/v1/verify", body, {"Content-Type": "application/json"})
response = connection.getresponse()
print(response.status, json.load(response)["verdict"])
