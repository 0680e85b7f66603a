"""The client for asyncio: questions are asked in threads of its own, so that the event loop goes on.

    daemon = mediatoken.aio.Client("/run/mediatokend/mediatokend.sock")
    token = await daemon.verify(received, requestor="REF30", resource="TNT")
"""

from __future__ import annotations

import asyncio
import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Optional, Union

from . import _client
from ._http import Deadline
from ._question import Requestor, Resource
from ._tokens import ValidToken


class Client:
    """Has the settings and the methods of ``mediatoken.Client``, which are awaited. A call that is cancelled may have used its token up."""

    def __init__(self, address: Union[str, os.PathLike[str]], **settings: Any) -> None:
        self._client = _client.Client(address, **settings)
        self._begin()

    def _begin(self) -> None:
        self._threads, self._process = ThreadPoolExecutor(self._client._connections, "mediatoken"), os.getpid()

    async def verify(
        self, token: Union[str, bytes], *, requestor: Requestor, resource: Resource, request_id: Optional[str] = None
    ) -> ValidToken:
        valid: ValidToken = await self._ask("verify", token, requestor=requestor, resource=resource, request_id=request_id)
        return valid

    async def verify_decision(
        self, decision: Union[str, bytes], *, requestor: Requestor, resource: Resource, request_id: Optional[str] = None
    ) -> ValidToken:
        valid: ValidToken = await self._ask("verify_decision", decision, requestor=requestor, resource=resource, request_id=request_id)
        return valid

    async def check_ready(self) -> None:
        await self._ask("check_ready")

    async def close(self) -> None:
        """Closes the connections that are idle, and ends the threads."""
        self._threads.shutdown(wait=False)
        self._client.close()
        self._begin()

    async def __aenter__(self) -> Client:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"aio.{self._client!r}"

    async def _ask(self, method: str, *arguments: Any, **named: Any) -> Any:
        if self._process != os.getpid():
            self._begin()  # A child process has no threads of its parent's.
        deadline = Deadline(self._client._timeout)

        def ask() -> Any:
            _client.BEGUN.set(deadline)  # It was begun where it was awaited, not where a thread was free.
            return getattr(self._client, method)(*arguments, **named)

        return await asyncio.get_running_loop().run_in_executor(self._threads, ask)
