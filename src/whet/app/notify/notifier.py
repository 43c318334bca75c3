"""Tell people once about each event, and record every delivery."""

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any

from whet import state_folder
from whet.app.notify.channels import Channel, channel_urls
from whet.app.notify.notices import ChainCheck, digest_notice, due_notices
from whet.app.notify.timing import digest_is_due, fold, is_quiet, may_retry, sendable
from whet.app.project import Project
from whet.domain.clock import now
from whet.domain.notice import Delivery, Notice, NoticeEvent
from whet.errors import WhetError
from whet.files import MB

FILE = "notices.json"


@dataclass
class Told:
    """The notifications of one channel: since when, the last digest, the keys that arrived, those that failed with their times.

    It is in a file beside the ledger, because people must be told about a damaged ledger too.
    """

    since: str
    last_digest: str
    done: dict[str, str] = field(default_factory=dict)
    failed: dict[str, list[Any]] = field(default_factory=dict)

    def wants(self, notice: Notice, at: datetime) -> bool:
        if notice.key in self.done:
            return False
        failures, last = self.failed.get(notice.key, (0, at.isoformat()))
        return may_retry(failures, datetime.fromisoformat(last), at)

    def note(self, delivery: Delivery) -> None:
        """Keep the outcome of a delivery."""
        at = delivery.at.isoformat()
        for key in delivery.notices:
            if delivery.error:
                self.failed[key] = [self.failed.get(key, [0])[0] + 1, at]
                continue
            self.done[key] = at
            self.failed.pop(key, None)
            if key.startswith(f"{NoticeEvent.DIGEST}/"):
                self.last_digest = at


class Notifier:
    """Looks at a project and tells people. Any number of processes may do so: a lock makes them take turns."""

    def __init__(self, link: str = "", clock: Callable[[], datetime] = now) -> None:
        self._link, self._clock, self._chain = link, clock, ChainCheck()

    def look(self, project: Project, channels: Sequence[Channel] | None = None) -> list[Delivery]:
        """Send what is due, and return the deliveries. Does nothing without a channel."""
        if channels is None:
            channels = [Channel(url) for url in channel_urls(project.state)]
        if not channels:
            return []
        state_folder.make_folder(project.state)
        with state_folder.locked(project.state, f"{FILE}.lock"):
            at = self._clock()
            told = _read(project)
            deliveries = [delivery for channel in channels for delivery in self._tell(project, channel, told, at)]
            _write(project, told)
        return deliveries

    def _tell(self, project: Project, channel: Channel, told: "dict[str, Told]", at: datetime) -> list[Delivery]:
        """Send what one channel has not got yet. A channel that fails is tried again, whatever the others do.

        A message is sent, then recorded, then marked as told. After a crash in between it is sent once more, so none is lost and
        none is told without a delivery on record.
        """
        begun = Told(since=at.isoformat(), last_digest=at.isoformat())
        state, deliveries = told.setdefault(channel.id, begun), []
        for message, keys in fold(self._due(project, state, at), project.policy.notify.burst):
            error = channel.send(message.title, message.text)
            delivery = Delivery(channel=channel.name, notices=keys, title=message.title, error=error, at=at)
            _record(project, delivery)
            state.note(delivery)
            _write(project, told)
            deliveries.append(delivery)
        return deliveries

    def _due(self, project: Project, told: Told, at: datetime) -> list[Notice]:
        policy, local = project.policy.notify, at.astimezone()
        notices = due_notices(project, datetime.fromisoformat(told.since), at, self._link, self._chain)
        wanted = [notice for notice in notices if told.wants(notice, at)]
        _forget_ended(told, notices)
        return [*sendable(wanted, policy.quiet_hours, local), *self._due_digest(project, told, at)]

    def _due_digest(self, project: Project, told: Told, at: datetime) -> list[Notice]:
        """Return the digest if its time has passed. It waits for the end of quiet hours and for a channel that takes it."""
        policy, local = project.policy.notify, at.astimezone()
        last = datetime.fromisoformat(told.last_digest)
        if is_quiet(policy.quiet_hours, local) or not digest_is_due(policy.digest_at, last.astimezone(), local):
            return []
        digest = _digest(project, last, at)
        if digest is None:
            told.last_digest = at.isoformat()
            return []
        return [digest] if told.wants(digest, at) else []


def send_test(project: Project) -> list[Delivery]:
    """Send one test message to every channel and record the deliveries."""
    at, title = now(), f"whet: a test from {project.git.root.name}"
    deliveries = []
    for channel in [Channel(url) for url in channel_urls(project.state)]:
        error = channel.send(title, "Notifications arrive here.")
        deliveries.append(Delivery(channel=channel.name, notices=("test",), title=title, error=error, at=at))
    for delivery in deliveries:
        _record(project, delivery)
    return deliveries


def _digest(project: Project, since: datetime, at: datetime) -> Notice | None:
    try:
        return digest_notice(project, since, at)
    except WhetError:
        return None  # a damaged record has its own notice


def _forget_ended(told: Told, notices: Sequence[Notice]) -> None:
    """Forget a stop or a damage that is over, so that the next one is told again."""
    current = {notice.key for notice in notices}
    for key in [key for key in told.done if key.startswith(("stopped/", "damaged/")) and key not in current]:
        del told.done[key]


def _record(project: Project, delivery: Delivery) -> None:
    """Record a delivery. A ledger that cannot be written keeps nobody from being told."""
    key = f"delivery/{delivery.at.isoformat()}/{delivery.channel}/{'+'.join(delivery.notices)}"[:400]
    try:
        project.ledger.append("observe", delivery, subject="notifications", key=key)
    except WhetError as problem:
        project.progress.warn(f"a delivery could not be recorded: {problem.message}")


def _read(project: Project) -> dict[str, Told]:
    """Return what each channel got so far. A file that is damaged counts as none: open gates are then told once more."""
    try:
        rows = json.loads(state_folder.read(project.state, FILE, most_bytes=10 * MB))
        told = {channel: Told(**row) for channel, row in rows.items()}
        for state in told.values():
            _refuse_unlike(state)
    except FileNotFoundError:
        return {}
    except (ValueError, TypeError, AttributeError, RecursionError):
        project.progress.warn(f"{project.state / FILE} is damaged and was begun anew; open gates are told once more")
        return {}
    return told


def _refuse_unlike(told: Told) -> None:
    """Raise ValueError or TypeError if a field does not have the form that this module writes."""
    times = [told.since, told.last_digest, *told.done.values(), *(last for _, last in told.failed.values())]
    if any(datetime.fromisoformat(time).tzinfo is None for time in times):
        raise ValueError("a time has no zone")
    if not all(type(failures) is int for failures, _ in told.failed.values()):
        raise TypeError("a number of failures is not a number")


def _write(project: Project, told: dict[str, Told]) -> None:
    for state in told.values():
        state.done = dict(sorted(state.done.items(), key=lambda item: item[1])[-5000:])
    rows = {channel: asdict(state) for channel, state in told.items()}
    state_folder.replace(project.state, FILE, json.dumps(rows).encode())
