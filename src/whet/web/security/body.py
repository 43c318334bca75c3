"""A limit for bodies that do not say their length."""

from starlette.exceptions import HTTPException
from starlette.types import Message, Receive


def limited(receive: Receive, most_bytes: int) -> Receive:
    """Return a receiver that raises status 413 after `most_bytes`: a body in chunks has no length to check before."""
    seen = 0

    async def receive_within_limit() -> Message:
        nonlocal seen
        message = await receive()
        if message["type"] == "http.request":
            seen += len(message.get("body", b""))
            if seen > most_bytes:
                raise HTTPException(413, f"the body is larger than {most_bytes:,} bytes")
        return message

    return receive_within_limit
