"""Server-sent events: every entry once and in order, over disconnections and restarts."""

import json
import threading
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.support import Repo
from tests.web.running import running_server, token_of
from whet.app.project import open_project


def events(url: str, secret: str, *, most: int, headers: dict[str, str] | None = None, query: str = "") -> list[Any]:
    """Return the first `most` events of a stream as (name, id, data)."""
    auth = {"Authorization": f"Bearer {secret}", **(headers or {})}
    with httpx.stream("GET", f"{url}/api/v1/events{query}", headers=auth, timeout=60) as answer:
        assert answer.status_code == 200, answer.read()
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["x-accel-buffering"] == "no"
        found = []
        for event in parse(answer.iter_lines()):
            found.append(event)
            if len(found) == most:
                return found
    raise AssertionError("the stream ended")


def parse(lines: Iterator[str]) -> Iterator[tuple[str, int, Any]]:
    fields: dict[str, str] = {}
    for line in lines:
        if line:
            name, _, value = line.partition(": ")
            fields[name] = value
        elif "data" in fields:
            yield fields["event"], int(fields["id"]), json.loads(fields["data"])
            fields = {}


@pytest.fixture
def server(waiting: Repo) -> Iterator[str]:
    with running_server(waiting.root) as url:
        yield url


def append(repo: Repo, *names: str) -> None:
    ledger = open_project(repo.root).ledger
    for name in names:
        ledger.append("observe", {"note": name}, subject=name, key=f"test/{name}", kind="Note")


def test_a_stream_resumes_without_a_gap_over_a_restart_of_the_server(waiting: Repo) -> None:
    secret, head = token_of(waiting.root, "read"), open_project(waiting.root).ledger.head().seq
    with running_server(waiting.root) as url:
        first = events(url, secret, most=4, query="?after=0")
    assert [event[:2] for event in first[:1]] == [("open", 0)]
    append(waiting, "while-down")
    with running_server(waiting.root) as url:
        rest = events(url, secret, most=head + 1 - 3 + 1, headers={"Last-Event-ID": "3"})
    assert rest[0][0] == "open"
    numbers = [event[1] for event in (*first[1:], *rest[1:])]
    assert numbers == list(range(1, head + 2))
    name, _, data = rest[-1]
    assert (name, data["subject"], set(data)) == ("Note", "while-down", {"seq", "at", "phase", "kind", "subject"})


def test_new_entries_arrive_at_every_subscriber_and_filters_hold(waiting: Repo, server: str) -> None:
    secret, results = token_of(waiting.root, "read"), []
    ready = threading.Barrier(4)

    def subscribe(query: str) -> None:
        auth = {"Authorization": f"Bearer {secret}"}
        with httpx.stream("GET", f"{server}/api/v1/events{query}", headers=auth, timeout=60) as answer:
            stream = parse(answer.iter_lines())
            next(stream)
            ready.wait(60)
            results.append(next(stream)[2]["subject"])

    queries = ("", "?kind=Note", "?subject=live-2&phase=observe")
    threads = [threading.Thread(target=subscribe, args=(query,)) for query in queries]
    for thread in threads:
        thread.start()
    ready.wait(60)
    append(waiting, "live-1", "live-2")
    for thread in threads:
        thread.join(60)
    assert sorted(results) == ["live-1", "live-1", "live-2"]


@pytest.mark.parametrize("last", ["999999999", "x", "-1", "9" * 30])
def test_an_unknown_id_gives_a_gap_and_the_stream_goes_on(waiting: Repo, server: str, last: str) -> None:
    secret, head = token_of(waiting.root, "read"), open_project(waiting.root).ledger.head().seq
    [gap] = events(server, secret, most=1, headers={"Last-Event-ID": last})
    assert gap == ("gap", head, {"after": head})


def test_a_stream_needs_a_caller(server: str) -> None:
    assert httpx.get(f"{server}/api/v1/events").status_code == 401
