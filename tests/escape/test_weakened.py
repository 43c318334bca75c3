"""A probe that cannot fail shows nothing: with one protection taken out, the one that needs it gets out."""

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from whet.sandbox.bubblewrap import Bubblewrap, Handed
from whet.sandbox.probes.probe import PROBES
from whet.sandbox.sandbox import Finished, Job, Limits
from whet.target.probing import ProbeOutcome, probe

Weaken = Callable[[list[str]], list[str]]


class Weakened(Bubblewrap):
    """Bubblewrap with other options than it should have."""

    def __init__(self, weaken: Weaken, limits: Limits | None = None) -> None:
        super().__init__()
        self._weaken, self._instead = weaken, limits

    def _options(self, job: Job, uid: int, inside: Handed) -> list[str]:
        return self._weaken(super()._options(job, uid, inside))

    def run(self, job: Job, on_line: Callable[[bytes], None] | None = None) -> Finished:
        return super().run(replace(job, limits=self._instead) if self._instead else job, on_line)


def without(*options: str) -> Weaken:
    def weaken(all_options: list[str]) -> list[str]:
        kept = list(all_options)
        start = next(at for at in range(len(kept)) if kept[at : at + len(options)] == list(options))
        del kept[start : start + len(options)]
        return kept

    return weaken


def without_filter(options: list[str]) -> list[str]:
    at = options.index("--seccomp")
    return options[:at] + options[at + 2 :]


def with_(*more: str) -> Weaken:
    """Before the root is made read-only."""

    def weaken(options: list[str]) -> list[str]:
        at = next(at for at in range(len(options)) if options[at : at + 2] == ["--remount-ro", "/proc"])
        return [*options[:at], *more, *options[at:]]

    return weaken


def with_the_hosts_folder(options: list[str]) -> list[str]:
    at = next(at for at in range(len(options)) if options[at : at + 2] == ["--tmpfs", "/tmp"])
    return [*options[: at - 4], "--bind", "/tmp", "/tmp", *options[at + 2 :]]


def with_the_environment(options: list[str]) -> list[str]:
    return [*options, "--setenv", "LEAKED", os.environ.get("WHET_PROBE", "")]


MISSING: dict[str, Weaken] = {
    "network: connects to a server on the host's loopback": without("--unshare-net"),
    "network: connects to an abstract socket of the host": without("--unshare-net"),
    "filesystem: reads a file of the host": with_the_hosts_folder,
    "secrets: has a token from the host's environment": with_the_environment,
    "secrets: knows the host's accounts": with_("--ro-bind", "/etc/passwd", "/etc/passwd"),
    "process: sees a process of the host": without("--unshare-pid"),
    "process: runs without a system-call filter": without_filter,
    "ipc: lists the host's shared memory": without("--unshare-ipc"),
    "ipc: knows the host's name": without("--hostname", "sandbox"),
    "kernel: switches address randomisation off": without_filter,
    "kernel: sees /sys/kernel": with_("--ro-bind", "/sys", "/sys"),
    "terminal: lists the host's terminals": with_("--dev-bind", "/dev/pts", "/dev/pts"),
}
UNLIMITED = [
    "resources: makes one file too large",
    "resources: starts many processes",
    "resources: takes much memory over many processes",
    "resources: makes many empty files",
    "resources: floods its output",
]


@pytest.mark.parametrize("name", MISSING)
def test_a_missing_protection_is_seen(name: str) -> None:
    (tried,) = probe(Weakened(MISSING[name]), [name])
    if tried.outcome is ProbeOutcome.NOT_TRIED:
        pytest.skip(tried.said)
    assert tried.outcome is ProbeOutcome.GOT_OUT, tried.said


@pytest.mark.parametrize("name", UNLIMITED)
def test_a_missing_limit_is_seen(name: str) -> None:
    (tried,) = probe(Weakened(lambda options: options, Limits(wall_seconds=20)), [name])
    assert tried.outcome is ProbeOutcome.GOT_OUT, tried.said


def test_what_does_not_work_outside_is_never_said_to_be_held() -> None:
    probes = [name for name in PROBES if name.startswith("ipc: reaches ")]
    for tried in probe(Bubblewrap(), probes):
        there = Path(tried.name.removeprefix("reaches ")).exists()
        assert tried.outcome is (ProbeOutcome.HELD if there else ProbeOutcome.NOT_TRIED)
