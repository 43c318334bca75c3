"""With one protection removed, the probe that it stops gets out: so the probes can fail."""

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.escape.inside import interpreter_paths
from whet.sandbox.bubblewrap import Bubblewrap
from whet.sandbox.escape_check import ProbeOutcome, ProbeResult, check_escapes
from whet.sandbox.inherited_files import InheritedFiles
from whet.sandbox.probes.probe import PROBES
from whet.sandbox.sandbox import Finished, Job, JobLimits, Sandbox

Weaken = Callable[[list[str]], list[str]]


class Weakened(Bubblewrap):
    """Bubblewrap with altered options or with other limits than the job's."""

    def __init__(self, weaken: Weaken, limits: JobLimits | None = None) -> None:
        super().__init__()
        self._weaken, self._limits = weaken, limits

    def _options(self, job: Job, uid: int, inside: InheritedFiles) -> list[str]:
        return self._weaken(super()._options(job, uid, inside))

    def run(self, job: Job, on_line: Callable[[bytes], None] | None = None) -> Finished:
        return super().run(replace(job, limits=self._limits) if self._limits else job, on_line)


def check(sandbox: Sandbox, *ids: str) -> list[ProbeResult]:
    return check_escapes(sandbox, interpreter_paths(), ids)


def without(*options: str) -> Weaken:
    """Remove these consecutive options."""

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
    """Add options, before the root is made read-only."""

    def weaken(options: list[str]) -> list[str]:
        at = next(at for at in range(len(options)) if options[at : at + 2] == ["--remount-ro", "/proc"])
        return [*options[:at], *more, *options[at:]]

    return weaken


def with_the_hosts_folder(options: list[str]) -> list[str]:
    """Mount the folder of the bait that lies beside the job's root."""
    root = Path(options[options.index("--chdir") + 1])
    folder = str(root.parent / "host")
    return with_("--ro-bind", folder, folder)(options)


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
def test_the_probe_gets_out_without_the_protection(name: str) -> None:
    (result,) = check(Weakened(MISSING[name]), name)
    if result.outcome is ProbeOutcome.NOT_TRIED:
        pytest.skip(result.detail)
    assert result.outcome is ProbeOutcome.GOT_OUT, result.detail
    assert not result.detail.startswith("no answer"), result.detail


@pytest.mark.parametrize("name", UNLIMITED)
def test_the_probe_gets_out_without_the_limit(name: str) -> None:
    (result,) = check(Weakened(lambda options: options, JobLimits(wall_seconds=20)), name)
    assert result.outcome is ProbeOutcome.GOT_OUT, result.detail


def test_a_probe_that_fails_outside_is_never_reported_as_held() -> None:
    ids = [name for name in PROBES if name.startswith("ipc: reaches ")]
    for result in check(Bubblewrap(), *ids):
        exists = Path(result.name.removeprefix("reaches ")).exists()
        assert result.outcome is (ProbeOutcome.HELD if exists else ProbeOutcome.NOT_TRIED)
