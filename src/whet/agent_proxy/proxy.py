"""The proxy of one run: what happens to a request of the agent, from its bytes to its record."""

import json
import threading
import time
from dataclasses import dataclass, field
from typing import Any, Protocol

from whet.agent_proxy.allowance import Allowance, Exhausted, Grant
from whet.agent_proxy.endpoints import OFFICIAL, Endpoint, WireKind, endpoint, error_body, local_answer
from whet.agent_proxy.outgoing import BadRequest, limit_output, rewrite
from whet.agent_proxy.transcript import Transcript
from whet.agent_proxy.upstream import ProviderAnswer, ProviderUnreachable, Upstream
from whet.agent_proxy.usage import UsageReader
from whet.domain.clock import now
from whet.domain.exchange import Exchange
from whet.errors import Internal, WhetError
from whet.models.prices import Usage

_BYTES_PER_TOKEN = 2  # ordinary text has three or four, so a reservation is rarely too small
_KEPT_OF_ANSWER = 512 * 1024
_FORWARDED = ("anthropic-version", "anthropic-beta")
_NOTHING = Usage(input_tokens=0, output_tokens=0)


class AgentConnection(Protocol):
    """The agent's connection, as the proxy answers on it. `write` raises OSError if the agent does not read."""

    def begin(self, status: int, content_type: str, retry_after: str = "", length: int | None = None) -> None: ...
    def write(self, piece: bytes) -> None: ...


@dataclass(frozen=True)
class AgentRequest:
    """A request of the agent: `target` is the path with its query, `headers` have lower-case names."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes


@dataclass
class _Outcome:
    """The course of one request, filled in while it is answered."""

    endpoint: str
    began: float
    status: int = 0
    refused: str = ""
    sent: bytes = b""
    answer: bytearray = field(default_factory=bytearray)
    used: Usage = _NOTHING
    reported: bool = False
    unanswered: bool = False  # sent, and the provider did not answer: it may charge for it

    def keep(self, piece: bytes) -> None:
        if len(self.answer) < _KEPT_OF_ANSWER:
            self.answer += piece


class _Account:
    """The reservation of one request, which is settled once: before the agent has the whole answer, or when its request ends."""

    def __init__(self, allowance: Allowance, grant: Grant, outcome: _Outcome) -> None:
        self._allowance, self._grant, self._outcome = allowance, grant, outcome
        self._is_open = True
        self.reader = UsageReader()

    def settle(self) -> None:
        """Settle the reservation, or refund that of a request that the provider refused or that never reached it.

        The reported tokens count, or else the whole reservation, because the provider may charge for an answer that was cut
        off or never arrived.
        """
        if not self._is_open:
            return
        self._is_open = False
        if self._outcome.status == 200 or self._outcome.unanswered:
            self._outcome.reported = self.reader.usage is not None
            self._outcome.used = self._allowance.settle(self._grant, self.reader.usage)
        else:
            self._allowance.refund(self._grant)


class Proxy:
    """Answers the requests of one run until `ends_at` (monotonic) or until its allowance is used up.

    An error of whet itself, such as a ledger that cannot be written, is kept in `broken`; after it nothing is sent any more.
    """

    def __init__(
        self, upstream: Upstream, allowance: Allowance, transcript: Transcript, model: str, ends_at: float
    ) -> None:
        self._upstream, self._allowance, self._transcript = upstream, allowance, transcript
        self._model, self._ends_at = model, ends_at
        self._provider = upstream.provider.name
        self._lock = threading.Lock()
        self._number = 0
        self.broken: WhetError | None = None
        self.last_problem = ""

    def answer(self, request: AgentRequest, reply: AgentConnection) -> None:
        """Answer one request of the agent and record the exchange."""
        outcome = _Outcome(f"{request.method} {request.target}"[:200], time.monotonic())
        try:
            self._answer(request, reply, outcome)
        except WhetError as problem:
            self.broken = problem
            self._refuse(reply, outcome, 503, "broken", "whet cannot record this request, so it was not sent")
        except Exception as problem:  # noqa: BLE001 - raised again by the thread that waits for the agent
            self.broken = Internal(f"the proxy broke: {type(problem).__name__}: {problem}", "please report this")
            outcome.refused = "the proxy broke"
        finally:
            self._record(outcome)

    def _answer(self, request: AgentRequest, reply: AgentConnection, outcome: _Outcome) -> None:
        tokens = len(request.body) // _BYTES_PER_TOKEN + 1
        known = endpoint(self._provider, request.method, request.target)
        local = local_answer(self._provider, request.method, request.target, self._model, tokens)
        if local is not None:
            self._send_json(reply, outcome, 200, local)
        elif known is None:
            self._refuse(reply, outcome, 403, "not_allowed", f"the proxy does not take {outcome.endpoint}")
        elif self.broken:
            self._refuse(reply, outcome, 503, "broken", "whet cannot record requests, so none is sent")
        elif time.monotonic() > self._ends_at:
            self._refuse(reply, outcome, 403, "time_is_up", "the run's time is used up (agent.seconds)")
        else:
            try:
                body = rewrite(_parsed(request.body), known.kind, self._model, official=self._is_official)
                self._forward(request, known, body, reply, outcome)
            except BadRequest as problem:
                self._refuse(reply, outcome, 400, "bad_request", str(problem))
            except Exhausted as problem:
                self._refuse(reply, outcome, 403, "budget_spent", str(problem))

    @property
    def _is_official(self) -> bool:
        return self._upstream.provider.base_url == OFFICIAL[self._provider]

    def _forward(
        self, request: AgentRequest, known: Endpoint, body: dict[str, Any], reply: AgentConnection, outcome: _Outcome
    ) -> None:
        prompt = len(json.dumps(body)) // _BYTES_PER_TOKEN + 1
        asked = limit_output(dict(body), known.kind, 10**9)
        most = self._allowance.most_output(prompt, asked)
        grant = self._allowance.reserve(Usage(input_tokens=prompt, output_tokens=limit_output(body, known.kind, most)))
        outcome.sent = json.dumps(body).encode()
        account = _Account(self._allowance, grant, outcome)
        try:
            self._relay(request, known, reply, outcome, account)
        finally:
            account.settle()

    def _relay(
        self, request: AgentRequest, known: Endpoint, reply: AgentConnection, outcome: _Outcome, account: _Account
    ) -> None:
        headers = {name: request.headers[name] for name in _FORWARDED if name in request.headers}
        if self._provider == "anthropic":
            headers.setdefault("anthropic-version", "2023-06-01")
        suffix = known.suffix.format(model=self._model)
        try:
            with self._upstream.post(suffix, outcome.sent, headers, self._ends_at) as answer:
                if answer.status >= 300:
                    self._relay_refusal(answer, reply, outcome)
                    return
                outcome.status = 200
                if answer.streams:
                    self._relay_stream(answer, known.kind, reply, outcome, account, request)
                else:
                    self._relay_whole(answer, reply, outcome, account)
        except ProviderUnreachable as problem:
            self.last_problem, outcome.unanswered = str(problem), problem.sent
            self._refuse(reply, outcome, outcome.status or 502, "provider_unreachable", str(problem))
        except OSError:
            outcome.refused = "the agent closed the connection before the answer was complete"

    def _relay_refusal(self, answer: ProviderAnswer, reply: AgentConnection, outcome: _Outcome) -> None:
        """Pass the provider's refusal on. A redirect is not followed, because it would carry the key elsewhere."""
        content = self._upstream.provider.without_key(answer.body())
        if answer.status < 400:
            raise ProviderUnreachable(f"the provider answered with a redirect ({answer.status})")
        outcome.status = answer.status
        outcome.refused = self.last_problem = f"the provider answered {answer.status}"
        outcome.keep(content)
        reply.begin(answer.status, answer.content_type, answer.retry_after, len(content))
        reply.write(content)

    def _relay_whole(
        self, answer: ProviderAnswer, reply: AgentConnection, outcome: _Outcome, account: _Account
    ) -> None:
        content = self._upstream.provider.without_key(answer.body())
        account.reader.read(_json(content))
        outcome.keep(content)
        account.settle()
        reply.begin(200, answer.content_type, length=len(content))
        reply.write(content)

    def _relay_stream(
        self,
        answer: ProviderAnswer,
        kind: WireKind,
        reply: AgentConnection,
        outcome: _Outcome,
        account: _Account,
        request: AgentRequest,
    ) -> None:
        """Pass the lines on as they come. The last one waits for the settlement, because the agent may ask again after it."""
        hides_usage = kind is WireKind.CHAT and b'"include_usage"' not in request.body
        reply.begin(200, "text/event-stream")
        last_line = b""  # with the empty lines after it
        for line in answer.lines():
            data = _json(line.removeprefix(b"data:").strip()) if line.startswith(b"data:") else None
            account.reader.read(data)
            if hides_usage and isinstance(data, dict) and data.get("choices") == []:
                continue  # whet asked for this event; an agent that did not may expect a choice in every event
            shown = self._upstream.provider.without_key(line)
            outcome.keep(shown)
            if line.strip():
                reply.write(last_line)
                last_line = b""
            last_line += shown
        account.settle()
        reply.write(last_line)

    def _refuse(self, reply: AgentConnection, outcome: _Outcome, status: int, code: str, why: str) -> None:
        """Answer with an error in the provider's shape, unless an answer has begun: then the connection just ends."""
        outcome.refused = why
        if outcome.status == 200:
            return
        self._send_json(reply, outcome, status, error_body(self._provider, code, why))

    def _send_json(self, reply: AgentConnection, outcome: _Outcome, status: int, body: dict[str, Any]) -> None:
        content = json.dumps(body).encode()
        outcome.status = status
        try:
            reply.begin(status, "application/json", length=len(content))
            reply.write(content)
        except OSError:
            outcome.refused = outcome.refused or "the agent closed the connection"

    def _record(self, outcome: _Outcome) -> None:
        """Record the exchange; a question that the proxy answered itself is not one."""
        if not outcome.sent and not outcome.refused:
            return
        with self._lock:
            self._number += 1
            number = self._number
        try:
            self._transcript.record(
                Exchange(
                    number=number,
                    at=now(),
                    endpoint=outcome.endpoint,
                    model=self._model,
                    status=outcome.status,
                    request=self._transcript.text(outcome.sent),
                    answer=self._transcript.text(bytes(outcome.answer)),
                    input_tokens=outcome.used.input_tokens,
                    output_tokens=outcome.used.output_tokens,
                    cost=self._allowance.cost(outcome.used),
                    reported=outcome.reported,
                    seconds=round(time.monotonic() - outcome.began, 3),
                    refused=outcome.refused,
                )
            )
        except WhetError as problem:
            self.broken = problem


def _parsed(body: bytes) -> dict[str, Any]:
    parsed = _json(body)
    if not isinstance(parsed, dict):
        raise BadRequest("the request is not a JSON object")
    return parsed


def _json(content: bytes) -> object:
    """Return the parsed content; None if it is not JSON."""
    try:
        parsed: object = json.loads(content)
    except (ValueError, RecursionError):
        return None
    return parsed
