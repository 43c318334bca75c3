"""The failures of a request, each as one sentence with a remedy."""

from dataclasses import dataclass

from whet.config import ModelPolicy
from whet.domain.redact import redact
from whet.domain.sanitize import one_line
from whet.errors import ModelUnavailable
from whet.models.providers import key_variable

_MOST_WORDS = 200
_GOOGLES_WRONG_KEY = "API_KEY_INVALID"  # sent with status 400
_MOST_MEGABYTES = 4
LARGEST_REPLY = _MOST_MEGABYTES * 1024 * 1024


class TooLarge(Exception):
    """The server sends more than an answer can hold."""


class BrokenOff(Exception):
    """The server says that the answer ended with an error."""


@dataclass(frozen=True)
class RequestFailure:
    """A failed request. `again` is true if the same request may work later, `wait_seconds` the server's wish.

    `free` is true if no answer was made that the provider could charge for.
    """

    sentence: str
    remedy: str
    again: bool = False
    wait_seconds: float | None = None
    free: bool = True

    def error(self) -> ModelUnavailable:
        return ModelUnavailable(self.sentence, self.remedy)


def failure_of(problem: BaseException, policy: ModelPolicy) -> RequestFailure | None:
    """Return the failure that an exception of the client means; None for one that the client should not raise."""
    from pydantic_ai import exceptions

    name, where = policy.name, policy.base_url or f"the servers of {policy.provider}"
    causes = list(_chain(problem))
    if any(isinstance(cause, TooLarge) for cause in causes):
        return RequestFailure(
            f"{name} answered with more than {_MOST_MEGABYTES} MB, and the answer was dropped",
            "lower max_tokens of the model, or take another model",
            free=False,
        )
    if isinstance(problem, BrokenOff):
        return RequestFailure(
            f"{where} broke the answer of {name} off", "try again later, or take another model", again=True, free=False
        )
    if isinstance(problem, TimeoutError | exceptions.ModelTimeoutError | exceptions.ModelRequestTimeout):
        return RequestFailure(
            f"{name} did not answer within {policy.timeout_seconds} s",
            "raise timeout_seconds of the model, or lower its max_tokens",
            free=False,
        )
    if isinstance(problem, exceptions.ModelHTTPError):
        return _by_status(problem, policy)
    if isinstance(problem, exceptions.ModelConnectionError):
        never_sent = problem.phase == "connect"
        return RequestFailure(
            f"{name} cannot be reached at {where}" if never_sent else f"{where} ended the connection to {name}",
            "start the server, or correct base_url in whet.toml; `whet models --check` tries again",
            again=True,
            free=never_sent,
        )
    if isinstance(problem, exceptions.ContentFilterError):
        return RequestFailure(f"{name} refused to answer", "take another model", free=False)
    if isinstance(problem, exceptions.UserError):
        return RequestFailure(f"{name} cannot be asked: {_words(problem)}", "correct `name` of the model in whet.toml")
    if isinstance(problem, exceptions.AgentRunError | ValueError | TypeError | AttributeError):
        return RequestFailure(
            f"{where} answered with something that is not an answer of {name}: {_words(problem)}",
            "check that base_url leads to a server that speaks the provider's protocol",
            free=False,
        )
    return None


def _by_status(problem: "object", policy: ModelPolicy) -> RequestFailure:
    from pydantic_ai.exceptions import ModelHTTPError

    assert isinstance(problem, ModelHTTPError)  # noqa: S101 - the caller asked
    name, status = policy.name, problem.status_code
    if status == 402:
        return RequestFailure(
            f"the account has no credit left for {name} (HTTP 402)", "add credit, or take another model"
        )
    if status in (401, 403) or _GOOGLES_WRONG_KEY in str(problem.body):
        variable = key_variable(policy)
        whose = f"the key in {variable}" if variable else "a request without a key"
        return RequestFailure(f"{name} does not accept {whose} (HTTP {status})", "correct the key in the environment")
    if status == 404:
        return RequestFailure(
            f"there is no model {policy.model!r} at {policy.base_url or policy.provider} (HTTP 404)",
            "correct `name` or `base_url` of the model in whet.toml",
        )
    if status == 429:
        return RequestFailure(
            f"{name} refuses further requests for now (HTTP 429)",
            "wait, or raise the limit of your account",
            again=True,
            wait_seconds=problem.retry_after,
        )
    if status >= 500:
        return RequestFailure(
            f"{name} has a fault of its own (HTTP {status})",
            "try again later",
            again=True,
            wait_seconds=problem.retry_after,
        )
    return RequestFailure(
        f"{name} does not take the request (HTTP {status}): {_words(problem)}",
        "check max_tokens and name of the model in whet.toml",
    )


def _chain(problem: BaseException | None) -> "list[BaseException]":
    causes: list[BaseException] = []
    while problem is not None and problem not in causes:
        causes.append(problem)
        problem = problem.__cause__ or problem.__context__
    return causes


def _words(problem: BaseException) -> str:
    return one_line(redact(str(problem)))[:_MOST_WORDS]
