"""A process that lives as long as a `with` block: ended in order, or at once where the block failed."""


class Failed(Exception):
    """A process could not do its work."""


class Unavailable(Failed):
    """What ours is compared with is not here, or does not work here."""


class Running:
    """Whoever inherits starts `process`, says in `close` how it is ended in order, and in `_failure` what it said."""

    process = None

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if kind is None:
            self.close()
        else:
            self._kill()

    def _kill(self):
        self.process.kill()
        self.process.wait()

    def _await_end(self):
        status = self.process.wait(timeout=60)
        if status != 0:
            raise self._failure(f"expected exit status 0, found {status}")
