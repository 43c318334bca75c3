"""Send a request to a language model: bounded in time and size, repeated while the failure may pass."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from whet.config import ModelPolicy
from whet.errors import ModelUnavailable
from whet.models.failures import LARGEST_REPLY, BrokenOff, RequestFailure, TooLarge, failure_of
from whet.models.prices import Usage
from whet.models.providers import client_of
from whet.models.request import Finish, ModelReply, ModelRequest

if TYPE_CHECKING:
    from httpx2 import AsyncClient, Response
    from pydantic_ai.messages import ModelMessage, ModelResponse
    from pydantic_ai.settings import ModelSettings

_MOST_TRIES = 4
_FIRST_PAUSE_SECONDS = 1.0
_LONGEST_PAUSE_SECONDS = 60.0
Attempt = Callable[[ModelPolicy, ModelRequest, float], "ModelReply | RequestFailure"]


def send(policy: ModelPolicy, request: ModelRequest, seconds: float) -> "ModelReply | RequestFailure":
    """Send a request once. Return the reply, or the failure. Raise ModelUnavailable if it cannot be sent at all."""
    began = time.monotonic()
    try:
        reply = asyncio.run(_send(policy, request, min(seconds, float(policy.timeout_seconds))))
    except ModelUnavailable:
        raise
    except Exception as problem:
        failure = failure_of(problem, policy)
        if failure is None:
            raise
        return failure
    return replace(reply, seconds=time.monotonic() - began)


def ask(
    policy: ModelPolicy,
    request: ModelRequest,
    deadline: float,
    attempt: Attempt = send,
    pause: Callable[[float], None] = time.sleep,
) -> "ModelReply | RequestFailure":
    """Return the reply to a request, or the failure that is left after some tries. `deadline` is on the monotonic clock.

    A server that asks for a longer pause than the time that is left is not waited for.
    """
    wait = _FIRST_PAUSE_SECONDS
    for tries_left in reversed(range(_MOST_TRIES)):
        outcome = attempt(policy, request, deadline - time.monotonic())
        if isinstance(outcome, ModelReply) or not outcome.again or not tries_left:
            return outcome
        wait = max(wait, outcome.wait_seconds or 0.0)
        if wait > _LONGEST_PAUSE_SECONDS or time.monotonic() + wait >= deadline:
            return outcome
        pause(wait)
        wait *= 2
    raise AssertionError("the last try returns")


async def _send(policy: ModelPolicy, request: ModelRequest, seconds: float) -> ModelReply:
    async with _bounded_client(seconds) as http:
        model = client_of(policy, http)
        from pydantic_ai.direct import model_request

        settings: ModelSettings = {
            "max_tokens": request.max_tokens,
            "temperature": request.temperature,
            "timeout": seconds,
            "max_retries": 0,
        }
        async with asyncio.timeout(seconds):
            response = await model_request(model, _messages(request), model_settings=settings)
    return _reply(response)


def _messages(request: ModelRequest) -> "list[ModelMessage]":
    from pydantic_ai import messages

    sent: list[ModelMessage] = []
    for index, turn in enumerate(request.turns):
        if index % 2:
            sent.append(messages.ModelResponse(parts=[messages.TextPart(turn)]))
            continue
        rules = [messages.SystemPromptPart(request.rules)] if not index else []
        sent.append(messages.ModelRequest(parts=[*rules, messages.UserPromptPart(turn)]))
    return sent


def _reply(response: "ModelResponse") -> ModelReply:
    from pydantic_ai.messages import TextPart

    if response.finish_reason == "error":
        raise BrokenOff
    text = "".join(part.content for part in response.parts if isinstance(part, TextPart))
    used = response.usage
    reported = bool(used.input_tokens or used.output_tokens)
    finish = {"length": Finish.CUT, "content_filter": Finish.REFUSED}.get(response.finish_reason or "", Finish.STOP)
    usage = Usage(input_tokens=used.input_tokens, output_tokens=used.output_tokens) if reported else None
    return ModelReply(text=text, usage=usage, finish=finish)


def _bounded_client(seconds: float) -> "AsyncClient":
    """Return an HTTP client that gives up on a response that is larger than any answer.

    It has a time limit of its own because Google's library takes that of the client, which is 5 s unless it is set.
    """
    try:
        import httpx2
    except ImportError:
        raise ModelUnavailable(
            "the packages that speak to language models are not installed", "pip install 'whet[models]'"
        ) from None

    class _Counted(httpx2.AsyncByteStream):
        def __init__(self, stream: "httpx2.AsyncByteStream") -> None:
            self._stream = stream

        async def __aiter__(self) -> AsyncIterator[bytes]:
            size = 0
            async for part in self._stream:
                size += len(part)
                if size > LARGEST_REPLY:
                    raise TooLarge
                yield part

        async def aclose(self) -> None:
            await self._stream.aclose()

    async def bound(response: "Response") -> None:
        response.stream = _Counted(cast("httpx2.AsyncByteStream", response.stream))

    return httpx2.AsyncClient(timeout=seconds, event_hooks={"response": [bound]})
