"""Signals from health probes: each look asks once, the service more often, and the answers are kept as events.

A probe is an address that must answer in time with the right status, or a command that must succeed in the sandbox.
"""

import time
import urllib.error
import urllib.request
from collections.abc import Callable
from datetime import timedelta
from http.client import HTTPException
from pathlib import Path
from urllib.parse import urlsplit

from whet.config import HEALTH_HOSTS, HealthProbe, SourcesPolicy, health_hosts
from whet.domain.clock import now
from whet.domain.reported_event import Breakdown, EventKind, ReportedEvent
from whet.domain.signal import Signal
from whet.intake.signature import signature_of
from whet.intake.skips import Skips
from whet.intake.texts import text_of
from whet.kit import Kit
from whet.phases.observe.metrics import changed_metrics
from whet.phases.observe.recurring import recurring_failures
from whet.statistics.drain import Drain
from whet.store.events import Events

_MOST_BYTES = 64 * 1024


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Follows no redirect: the address in whet.toml is the one that is asked."""

    def redirect_request(self, *_: object) -> None:
        return None


class Health:
    """The signal source `health`: asks the probes of `sources.health`."""

    def __init__(self, kit: Kit) -> None:
        self._kit, self._policy = kit, kit.policy.sources
        self.skipped: tuple[str, ...] = ()

    def observe(self, commit: str) -> tuple[Signal, ...]:
        if not self._policy.health:
            return ()
        events, skips, at = Events(self._kit.state), Skips(), now()
        tree = self._kit.git.tree_of(commit)
        ask_addresses(self._policy, self._kit.state, skips)
        commands = [probe for probe in self._policy.health if not probe.url]
        events.take("health", [_answer(probe, lambda probe: self._run(probe, tree)) for probe in commands])
        events.prune("health", at, self._policy.most_events)
        since = at - timedelta(hours=self._policy.window_hours)
        failing = recurring_failures("health", events, since, self._policy, (), skips)
        signals = (*failing, *changed_metrics("health", events, since, at, self._policy, skips))
        self.skipped = skips.sentences()
        return signals

    def _run(self, probe: HealthProbe, tree: str) -> str:
        """Run the probe's command on the tree, in the sandbox; return why it failed, or ''."""
        finished = self._kit.sandbox.run(self._kit.suite.job(tree, probe.command, probe.timeout_seconds))
        if finished.stopped_by:
            return f"the command did not end by itself ({finished.stopped_by})"
        return f"exit code {finished.exit_code}" if finished.exit_code else ""


def ask_addresses(policy: SourcesPolicy, state: Path, skips: Skips | None = None) -> None:
    """Ask each address once and keep the answers. The service does so between two looks too."""
    skips = skips or Skips()
    allowed = [probe for probe in policy.health if probe.url and _may_ask(probe, skips)]
    if allowed:
        Events(state).take("health", [_answer(probe, _ask_address) for probe in allowed])


def _answer(probe: HealthProbe, ask: Callable[[HealthProbe], str]) -> ReportedEvent:
    """Ask a probe, and return its answer as an event."""
    began, at = time.monotonic(), now()
    failure = ask(probe)
    seconds = time.monotonic() - began
    if not failure and seconds > probe.seconds:
        failure = f"slower than {probe.seconds} s"
    breakdown = Breakdown(message=text_of(failure), fingerprint=f"{probe.name}: {failure}") if failure else None
    return ReportedEvent(
        kind=EventKind.SPAN,
        subject=probe.name,
        at=at,
        identity=f"{probe.name}\0{at.isoformat()}",
        failed=bool(failure),
        seconds=seconds,
        breakdown=breakdown,
        signature=signature_of(breakdown, Drain()) if breakdown else "",
    )


def _may_ask(probe: HealthProbe, skips: Skips) -> bool:
    """True for a command, and for an address whose host the user has listed.

    whet.toml comes with a repository, which must not make this machine send requests to addresses of its choice.
    """
    if not probe.url or urlsplit(probe.url).netloc.lower() in health_hosts():
        return True
    skips.add(
        text_of(probe.name), "probe", f"its host is not listed: export {HEALTH_HOSTS}={urlsplit(probe.url).netloc}"
    )
    return False


def _ask_address(probe: HealthProbe) -> str:
    """Ask the address once, without following redirects; return what was wrong, or ''."""
    opener = urllib.request.build_opener(_NoRedirect, urllib.request.ProxyHandler({}))
    try:
        with opener.open(probe.url, timeout=probe.timeout_seconds) as answer:
            status: int = answer.status
            answer.read(_MOST_BYTES)
    except urllib.error.HTTPError as problem:
        with problem:
            status = problem.code
    except (OSError, ValueError, HTTPException) as problem:
        reason = getattr(problem, "reason", problem)
        return f"no answer ({type(reason).__name__})"
    return "" if status == probe.status else f"status {status} instead of {probe.status}"
