"""Asks mediatokend whether an Adobe Pass short media token may play.

    daemon = mediatoken.Client("/run/mediatokend/mediatokend.sock")
    try:
        token = daemon.verify(received, requestor="REF30", resource="TNT")
    except mediatoken.NotValid as problem:
        ...  # do not play; problem.action is what the player does next

A ``ValidToken`` is made by ``Client.verify`` alone, of an answer that says so and is about the token that was sent. All else is raised.
"""

from ._client import Client
from ._errors import Fault, ForeignAnswer, NoAnswer, NotReady, NotValid, Refused
from ._question import CONFIGURED, Channel, Configured, Document, Requestor, Resource
from ._tokens import ValidToken

__version__ = "0.2.0"
__all__ = [
    "CONFIGURED", "Channel", "Client", "Configured", "Document", "Fault", "ForeignAnswer", "NoAnswer", "NotReady", "NotValid",
    "Refused", "Requestor", "Resource", "ValidToken",
]
