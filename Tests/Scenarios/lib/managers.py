"""What systemd is to a service."""

import socket

from scenario import path


class ServiceManager:
    """What systemd hears at the address of NOTIFY_SOCKET (sd_notify(3))."""

    def __init__(self, name):
        self.address, self.messages = path(name), []
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(self.address)
        self.socket.setblocking(False)

    def heard(self):
        while True:
            try:
                self.messages.append(self.socket.recv(4096).decode())
            except BlockingIOError:
                return self.messages

    def lines(self):
        return [line for message in self.heard() for line in message.splitlines()]

    def status(self):
        found = [line[7:] for line in self.lines() if line.startswith("STATUS=")]
        return found[-1] if found else None
