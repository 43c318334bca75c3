"""Notices and webhooks outlive `kill -9` at every step: none is lost, each is on record, and at most one is repeated."""

import contextlib
import os
import signal
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

import pytest

from tests.app.notify.test_notifier import ask, channel
from tests.receivers import Received, http_receiver
from tests.support import Repo
from whet import state_folder
from whet.app.notify.notifier import Notifier
from whet.app.project import open_project
from whet.app.webhooks.endpoints import add_endpoint
from whet.app.webhooks.sending import send_events
from whet.ledger.ledger import Ledger

pytestmark = [
    pytest.mark.filterwarnings("ignore:'imghdr' is deprecated"),  # apprise imports it
    pytest.mark.filterwarnings(
        "ignore:This process .* is multi-threaded"
    ),  # the receiver has a thread; the child has none
]


@pytest.fixture
def receiver() -> Iterator[Received]:
    with http_receiver() as received:
        yield received


def die(*_: Any, **__: Any) -> NoReturn:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def wrap(owner: Any, name: str, *, dies_after: bool, only: tuple[str, ...] = ()) -> None:
    """Let the process kill itself around the next call of a function, or of those whose second argument is in `only`."""
    real = getattr(owner, name)

    def call(*arguments: Any, **options: Any) -> Any:
        fatal = not only or arguments[1] in only
        if fatal and not dies_after:
            die()
        answer = real(*arguments, **options)
        return die() if fatal else answer

    setattr(owner, name, call)


PLACES = ("notices.json", "webhooks.json")
FAULTS: dict[str, Callable[[], None]] = {
    "before it is sent": lambda: wrap(state_folder, "locked", dies_after=False),
    "before the delivery is recorded": lambda: wrap(Ledger, "append", dies_after=False),
    "after the delivery is recorded": lambda: wrap(Ledger, "append", dies_after=True),
    "before its place is kept": lambda: wrap(state_folder, "replace", dies_after=False, only=PLACES),
    "after its place is kept": lambda: wrap(state_folder, "replace", dies_after=True, only=PLACES),
}


def killed(fault: Callable[[], None], work: Callable[[], object]) -> None:
    """Do the work in a process of its own that dies by SIGKILL at the fault."""
    child = os.fork()
    if not child:
        with contextlib.suppress(BaseException):
            fault()
            work()
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status), "the process outlived its fault"
    assert os.WTERMSIG(status) == signal.SIGKILL


def notify(root: Path, receiver: Received) -> list[str]:
    """Tell people, and return the keys of the notices that were sent."""
    return [key for sent in Notifier().look(open_project(root), [channel(receiver)]) for key in sent.notices]


def send(root: Path, _: Received) -> list[str]:
    return [number for sent in send_events(open_project(root)) for number in sent.notices]


@pytest.mark.parametrize("fault", FAULTS)
def test_what_a_killed_process_has_sent_is_sent_again_or_on_record(
    sample: Repo, receiver: Received, fault: str
) -> None:
    project = open_project(sample.root)
    add_endpoint(project.state, f"http://127.0.0.1:{receiver.port}/", ("Question",), 0)
    ask(project)
    project.store.close()
    for work in (notify, send):
        receiver.requests.clear()
        before = len(open_project(sample.root).ledger.entries(kind="Delivery"))
        killed(FAULTS[fault], partial(work, sample.root, receiver))
        assert len(receiver.requests) == (fault != "before it is sent")
        assert bool(work(sample.root, receiver)) == (fault != "after its place is kept"), (
            "sent again unless it is marked"
        )
        assert work(sample.root, receiver) == []
        recorded = open_project(sample.root).ledger.entries(kind="Delivery")[before:]
        assert len(recorded) == 1 + (fault in ("after the delivery is recorded", "before its place is kept"))
        assert len(receiver.requests) == 1 + (fault not in ("before it is sent", "after its place is kept"))
        identities = {headers.get("webhook-id") for _, headers, _ in receiver.requests}
        assert len(identities) == 1, "a repeated webhook has the id of the first"
