"""The proxy of coding agents on its real socket, in front of a scripted provider."""

import contextlib
import http.server
import json
import socket
import threading
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from tests.agent_proxy.harness import LIMITS, Door, door, limited
from tests.agent_proxy.scripted_provider import KEY, TOKENS_IN, TOKENS_OUT, Fail, Say, scripted_provider
from whet.domain.reservation import Resource
from whet.errors import StateUnusable

USED = TOKENS_IN + TOKENS_OUT
REQUESTS: list[tuple[str, str, dict[str, Any]]] = [
    ("openai", "/v1/chat/completions", {"messages": [{"role": "user", "content": "hi"}]}),
    ("openai", "/v1/responses", {"input": "hi"}),
    ("anthropic", "/v1/messages", {"max_tokens": 50, "messages": [{"role": "user", "content": "hi"}]}),
]
WAYS = [
    (provider, target, {**body, "stream": stream}) for provider, target, body in REQUESTS for stream in (False, True)
]
WAYS += [
    ("google", "/v1beta/models/x:generateContent", {"contents": []}),
    ("google", "/v1beta/models/x:streamGenerateContent?alt=sse", {"contents": []}),
]


@pytest.mark.parametrize(("provider", "target", "body"), WAYS)
def test_an_exchange_is_answered_settled_and_recorded(
    provider: str, target: str, body: dict[str, Any], tmp_path: Path
) -> None:
    with (
        scripted_provider(Say("hello there")) as scripted,
        door(scripted.base_url, tmp_path, provider=provider, key=KEY) as made,
    ):
        status, answer = made.post(target, body)
        assert status == 200
        assert b"hello there" in answer
        [request] = scripted.received
    assert KEY in " ".join(request.headers.values()), "the key is added"
    assert "agents-own" not in str(request.headers), "the agent's own key is dropped"
    assert "big" in request.path or request.body["model"] == "big"
    [exchange] = made.exchanges
    assert (exchange.status, exchange.refused, exchange.reported) == (200, "", True)
    assert (exchange.input_tokens, exchange.output_tokens) == (TOKENS_IN, TOKENS_OUT)
    assert made.spent_tokens() == USED
    assert exchange.cost == TOKENS_IN + 2 * TOKENS_OUT
    kept = (tmp_path / "exchanges" / exchange.answer).read_text()
    assert "hello there" in kept
    assert KEY not in kept + (tmp_path / "exchanges" / exchange.request).read_text()


def test_an_event_that_only_whet_asked_for_is_not_passed_on(tmp_path: Path) -> None:
    with scripted_provider(Say("hi")) as scripted, door(scripted.base_url, tmp_path) as made:
        assert b'"choices": []' not in made.chat(stream=True)[1]
        assert b'"choices": []' in made.chat(stream=True, stream_options={"include_usage": True})[1]


def test_other_requests_are_refused_and_recorded(tmp_path: Path) -> None:
    with scripted_provider(Say("hi")) as scripted, door(scripted.base_url, tmp_path, key=KEY) as made:
        for method, target in (
            ("POST", "/v1/files"),
            ("GET", "/"),
            ("DELETE", "/v1/models/big"),
            ("CONNECT", "x.y:443"),
        ):
            status, answer = made.post(target, b"", method=method)
            assert status == 403, target
            assert b"does not take" in answer
        assert scripted.received == []
    assert len(made.exchanges) == 4
    assert made.spent_tokens() == 0


def test_the_list_of_models_is_answered_without_the_provider(tmp_path: Path) -> None:
    with scripted_provider(Say("hi")) as scripted, door(scripted.base_url, tmp_path) as made:
        assert made.post("/v1/models", b"", method="GET")[0] == 200
        assert scripted.received == []
    assert made.exchanges == []


@pytest.mark.parametrize("body", [b"", b"[1]", b"{", b'{"messages": ' + b"[" * 5000 + b"]" * 5000 + b"}"])
def test_a_request_that_is_no_json_object_is_refused(body: bytes, tmp_path: Path) -> None:
    with scripted_provider(Say("hi")) as scripted, door(scripted.base_url, tmp_path) as made:
        assert made.post("/v1/chat/completions", body)[0] == 400
        assert scripted.received == []
    assert made.proxy.broken is None


def test_a_body_that_is_too_large_or_has_no_length_is_refused(tmp_path: Path) -> None:
    with scripted_provider(Say("hi")) as scripted, door(scripted.base_url, tmp_path) as made:
        assert raw(made, "Content-Length: 1000000000") == b"413"
        assert raw(made, "Transfer-Encoding: chunked") == b"411"
        assert raw(made, "Content-Length: 2\r\nContent-Encoding: zstd") == b"411"
        assert scripted.received == []


def raw(made: Door, headers: str) -> bytes:
    """Send a request with these headers in one piece, and return the status of the answer."""
    with socket.socket(socket.AF_UNIX) as agent:
        agent.settimeout(20)
        agent.connect(made.path)
        agent.sendall(f"POST /v1/responses HTTP/1.1\r\n{headers}\r\n\r\n{{}}".encode())
        return agent.recv(4096).split(b" ")[1]


LIMITED = [
    ({"requests": 2}, "agent.requests"),
    ({"tokens": 1_500, "max_tokens": 500}, "agent.tokens"),
    ({"money": Decimal("0.001000"), "max_tokens": 300}, "agent.money"),
]


@pytest.mark.parametrize(("limits", "setting"), LIMITED)
def test_a_run_is_cut_off_at_its_limit(limits: dict[str, Any], setting: str, tmp_path: Path) -> None:
    with scripted_provider(Say("hi")) as scripted, door(scripted.base_url, tmp_path, limits=limited(**limits)) as made:
        statuses = []
        for _ in range(12):
            status, answer = made.chat()
            statuses.append(status)
        assert statuses == sorted(statuses), "the end is final"
        assert (statuses[0], statuses[-1]) == (200, 403)
        assert setting in json.loads(answer)["error"]["message"]
        assert len(scripted.received) == statuses.count(200)
    assert setting in made.allowance.exhausted
    assert made.spent_tokens() == USED * statuses.count(200)


def test_the_last_answer_may_only_be_as_long_as_the_rest_of_the_tokens(tmp_path: Path) -> None:
    with (
        scripted_provider(Say("hi")) as scripted,
        door(scripted.base_url, tmp_path, limits=limited(tokens=400)) as made,
    ):
        assert made.chat(max_tokens=5_000)[0] == 200
        limit = scripted.received[0].body["max_tokens"]
    assert 64 <= limit < 400


def test_a_run_is_cut_off_when_the_days_budget_is_spent(tmp_path: Path) -> None:
    with scripted_provider(Say("hi")) as scripted, door(scripted.base_url, tmp_path, day=1_300) as made:
        assert [made.chat()[0] for _ in range(4)] == [200, 200, 403, 403]
        assert len(scripted.received) == 2
    assert "no room" in made.allowance.exhausted


def test_nothing_is_sent_after_the_time_of_the_run(tmp_path: Path) -> None:
    with scripted_provider(Say("hi")) as scripted, door(scripted.base_url, tmp_path, seconds=-1) as made:
        assert made.chat()[0] == 403
        assert scripted.received == []


@pytest.mark.parametrize("status", [400, 401, 429, 500])
def test_a_refusal_of_the_provider_is_passed_on_and_costs_nothing(status: int, tmp_path: Path) -> None:
    fail = Fail(status, f'{{"error": {{"message": "bad key {KEY}"}}}}', {"Retry-After": "7"})
    with scripted_provider(fail) as scripted, door(scripted.base_url, tmp_path, key=KEY) as made:
        got, answer = made.chat()
    assert got == status
    assert KEY.encode() not in answer
    assert b"bad key [redacted: key]" in answer
    assert made.spent_tokens() == 0
    assert made.proxy.last_problem == f"the provider answered {status}"


def test_a_redirect_is_not_followed(tmp_path: Path) -> None:
    with scripted_provider(Say("stolen")) as other:
        redirect = Fail(307, "", {"Location": f"{other.base_url}/chat/completions"})
        with scripted_provider(redirect) as scripted, door(scripted.base_url, tmp_path, key=KEY) as made:
            assert made.chat()[0] == 502
        assert other.received == []
    assert made.spent_tokens() == 0


def test_a_dead_provider_costs_nothing_and_is_named(tmp_path: Path) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        with door(f"http://127.0.0.1:{unused.getsockname()[1]}/v1", tmp_path) as made:
            status, answer = made.chat()
    assert status == 502
    assert b"cannot be reached" in answer
    assert made.spent_tokens() == 0


class _Odd(http.server.BaseHTTPRequestHandler):
    """Breaks a stream off, answers without usage, or answers without end."""

    how = ""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        stream = self.how != "no usage"
        self.send_header("Content-Type", "text/event-stream" if stream else "application/json")
        self.end_headers()
        with contextlib.suppress(OSError):
            self.wfile.write(
                b'data: {"choices": [{"delta": {"content": "half"}}]}\n\n' if stream else b'{"choices": []}'
            )
            while self.how == "endless":
                self.wfile.write(b"data: " + b"x" * 100_000 + b"\n\n")

    def log_message(self, format: str, *args: Any) -> None:
        """Print nothing."""


@contextlib.contextmanager
def odd_provider(how: str) -> Iterator[str]:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Odd,), {"how": how})) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
        server.shutdown()


def test_a_request_that_was_sent_and_never_answered_counts_as_its_whole_reservation(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:  # takes connections and never answers
        address = f"http://127.0.0.1:{listener.getsockname()[1]}/v1"
        with door(address, tmp_path, timeout_seconds=0.3) as made:
            status, answer = made.chat()
    assert status == 502
    assert b"did not answer in time" in answer
    assert made.spent_tokens() > LIMITS.max_tokens


@pytest.mark.parametrize("how", ["cut off", "no usage", "endless"])
def test_an_answer_without_usage_counts_as_its_whole_reservation(how: str, tmp_path: Path) -> None:
    with odd_provider(how) as address, door(address, tmp_path) as made:
        made.chat(max_tokens=500, stream=True)
        wait_for(made, 1)
    [exchange] = made.exchanges
    assert exchange.reported is False
    assert exchange.output_tokens == 500
    assert made.spent_tokens() == exchange.input_tokens + 500
    assert bool(exchange.refused) == (how == "endless")


def test_an_agent_that_hangs_up_pays_the_reservation(tmp_path: Path) -> None:
    with odd_provider("endless") as address, door(address, tmp_path) as made:
        with socket.socket(socket.AF_UNIX) as agent:
            agent.connect(made.path)
            agent.sendall(b"POST /v1/responses HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}")
            agent.recv(100)
        wait_for(made, 1)
    assert "closed the connection" in made.exchanges[0].refused
    assert made.spent_tokens() >= 1_000


def wait_for(made: Door, count: int) -> None:
    """Wait until the proxy has recorded so many exchanges; the agent has its answer a moment earlier."""
    waiting = threading.Event()
    while len(made.exchanges) < count:
        waiting.wait(0.01)


def test_more_connections_than_allowed_are_closed(tmp_path: Path) -> None:
    with (
        scripted_provider(Say("hi")) as scripted,
        door(scripted.base_url, tmp_path) as made,
        contextlib.ExitStack() as stack,
    ):
        idle = [stack.enter_context(socket.socket(socket.AF_UNIX)) for _ in range(20)]
        for connection in idle:
            connection.connect(made.path)
            connection.settimeout(20)
        assert idle[-1].recv(1) == b"", "closed at once"


def test_the_end_of_the_run_ends_a_request_that_is_under_way(tmp_path: Path) -> None:
    begun, ended = threading.Event(), threading.Event()
    with scripted_provider(Say("late")) as scripted:
        scripted.before = lambda _: hold(begun, ended)
        with door(scripted.base_url, tmp_path) as made:
            answers: list[Any] = []
            thread = threading.Thread(target=lambda: answers.append(_try(made)), daemon=True)
            thread.start()
            assert begun.wait(20)
        thread.join(20)
        ended.set()
    assert not thread.is_alive()
    assert len(made.exchanges) == 1
    assert not Path(made.path).parent.exists()


def hold(begun: threading.Event, ended: threading.Event) -> None:
    begun.set()
    ended.wait(20)


def _try(made: Door) -> object:
    try:
        return made.chat()
    except OSError as problem:
        return problem


def test_a_record_that_cannot_be_written_ends_the_run(tmp_path: Path) -> None:
    with scripted_provider(Say("hi")) as scripted, door(scripted.base_url, tmp_path) as made:
        tmp_path.chmod(0o755)  # now others can reach the state folder, and whet refuses it
        made.chat()
        wait_until_broken(made)
        assert made.chat()[0] == 503
        assert len(scripted.received) == 1
    assert isinstance(made.proxy.broken, StateUnusable)
    assert made.budgets.left[Resource.TOKENS] == 1_000_000 - USED


def wait_until_broken(made: Door) -> None:
    waiting = threading.Event()
    while made.proxy.broken is None:
        waiting.wait(0.01)
