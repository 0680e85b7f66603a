"""What lies between hosts and nodes: one address for each node, whose connections can be cut, held, torn and led elsewhere."""

import asyncio
import random
import threading

_loop = asyncio.new_event_loop()
threading.Thread(target=_loop.run_forever, daemon=True).start()


def _run(coroutine):
    return asyncio.run_coroutine_threadsafe(coroutine, _loop).result(60)


class Wire:
    """`text` is the node's address as hosts write it. A connection leads to where the wire led when it was made."""

    def __init__(self, target, place, number):
        self.target = target
        self.is_open = True
        # What becomes of replies: None, or a coroutine function of the writer and the bytes.
        self.replies = None
        self.pairs = set()
        self.heard = None
        if number % 2:
            self.text = place
            self.listener = _run(asyncio.start_unix_server(self.serve, self.text))
        else:
            self.listener = _run(asyncio.start_server(self.serve, "127.0.0.1", 0))
            self.text = "127.0.0.1:%d" % self.listener.sockets[0].getsockname()[1]

    async def serve(self, reader, writer):
        if not self.is_open:
            writer.transport.abort()
            return
        try:
            node_reader, node_writer = await asyncio.open_unix_connection(self.target)
        except OSError:
            writer.transport.abort()
            return
        pair = (writer, node_writer)
        self.pairs.add(pair)
        try:
            await asyncio.gather(self.commands(reader, node_writer), self.answers(node_reader, writer))
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            self.pairs.discard(pair)
            for end in pair:
                end.transport.abort()

    async def commands(self, reader, writer):
        while data := await reader.read(1 << 16):
            if self.heard is not None:
                self.heard.append(data)
            writer.write(data)
        raise ConnectionError

    async def answers(self, reader, writer):
        while data := await reader.read(1 << 16):
            if self.replies:
                await self.replies(writer, data)
            else:
                writer.write(data)
        raise ConnectionError

    def cut(self):
        """Ends all connections, in whatever they are."""
        def abort():
            for pair in list(self.pairs):
                for end in pair:
                    end.transport.abort()
        _loop.call_soon_threadsafe(abort)

    def close(self):
        self.is_open = False
        self.cut()

    def open(self):
        self.is_open = True

    # What can become of replies.

    def late(self, seconds):
        async def late(writer, data):
            await asyncio.sleep(random.uniform(0, seconds))
            writer.write(data)
        self.replies = late

    def torn(self):
        async def torn(writer, data):
            place = random.randrange(len(data) + 1)
            writer.write(data[:place])
            await asyncio.sleep(random.uniform(0, 0.02))
            writer.write(data[place:])
        self.replies = torn

    def halves(self):
        async def half(writer, data):
            writer.write(data[:random.randrange(len(data) + 1)])
            if random.random() < 0.3:
                await writer.drain()
                writer.transport.abort()
        self.replies = half

    def held(self):
        """No reply comes, though the nodes hear everything."""
        async def held(_writer, _data):
            await asyncio.sleep(3600)
        self.replies = held

    def whole(self):
        self.replies = None

    # Commands that come a second time, later and to whatever answers then.

    def listen(self):
        self.heard = []

    def repeat(self):
        heard, self.heard = self.heard or [], None

        async def repeat():
            reader, writer = await asyncio.open_unix_connection(self.target)
            for data in heard:
                writer.write(data)
            await writer.drain()
            await asyncio.sleep(0.2)
            writer.transport.abort()
        try:
            _run(repeat())
        except OSError:
            pass
        return len(heard)
