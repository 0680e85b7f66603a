"""The fake daemon of the kit, as an application's tests use it, and the client for asyncio."""

import asyncio

import mediatoken
import mediatoken.aio
import mediatoken.testing
from says import raised, says

with mediatoken.testing.FakeDaemon("X-Request-ID") as fake:
    client = mediatoken.Client(fake.address, request_id_header="X-Request-ID")

    def ask(token):
        return raised(client.verify, token, requestor="REF30", resource="TNT")

    token = fake.valid(mvpdId="Other_MVPD")
    played = client.verify(token, requestor="REF30", resource="TNT", request_id="mine")
    says("a token of the fake's plays, and says what it was made to say",
         (played.requestor_id, played.resource_id, played.mvpd_id, played.request_id) == ("REF30", "TNT", "Other_MVPD", "mine"), played)
    found = [(error.verdict, error.reason) for error in map(ask, (token, "PHNpZ25hdHVyZUluZm8+", fake.refused("TOKEN_EXPIRED", "too-old")))]
    says("it plays once, and refusals are those that were asked for", found == [
        ("TOKEN_REPLAYED", "already-used"), ("INVALID_TOKEN_FORMAT", "unknown-form"), ("TOKEN_EXPIRED", "too-old")], found)
    error = ask(fake.fault("REPLAY_MEMORY_FULL"))
    says("a fault is one", isinstance(error, mediatoken.Fault) and error.name == "REPLAY_MEMORY_FULL" and error.action == "retry", error)
    says("the fake is ready", client.check_ready() is None)

    async def ask_at_once():
        async with mediatoken.aio.Client(fake.address) as asking:
            calls = [asking.verify(fake.valid(), requestor="REF30", resource="TNT") for _ in range(100)]
            return await asyncio.gather(*calls)

    found = asyncio.run(ask_at_once())
    says("a hundred questions at once are answered", len({token.identity for token in found}) == 100, found)
error = raised(mediatoken.Client(fake.address).check_ready)
says("a fake that is closed does not answer", isinstance(error, mediatoken.NoAnswer), error)
