"""Signals from language servers: the diagnostics that they give for the tree."""

from whet.domain.clock import now
from whet.domain.diagnostic import Diagnostic
from whet.domain.reported import AnalyserResult
from whet.domain.signal import Signal
from whet.intake.skips import Skips
from whet.kit import Kit
from whet.target.linters.language_servers import LanguageServers, ServerSilent, name_of

_MOST_SIGNALS = 1_000
_WHY_NOT = "no test shows it, so no fix could be proved"


class ServerDiagnostics:
    """The signal source `diagnostics`: asks the servers of `sources.diagnostics`, and asks again only when the tree has
    changed."""

    def __init__(self, kit: Kit) -> None:
        self._kit, self._servers = kit, kit.policy.sources.diagnostics
        self.skipped: tuple[str, ...] = ()

    def observe(self, commit: str) -> tuple[Signal, ...]:
        if not self._servers:
            return ()
        skips, tree = Skips(), self._kit.git.tree_of(commit)
        servers = LanguageServers(self._kit.suite)
        signals: list[Signal] = []
        sentences: list[str] = []
        for server in self._servers:
            name = name_of(server)
            try:
                report = servers.ask(server, tree)
            except ServerSilent as why:
                sentences.append(f"{name}: skipped: {why}")
                continue
            sentences += (f"{name}: {sentence}" for sentence in report.skipped)
            if len(report.findings) > _MOST_SIGNALS:
                skips.add(
                    name,
                    "diagnostic",
                    f"one look gives at most {_MOST_SIGNALS:,} signals of a server",
                    len(report.findings) - _MOST_SIGNALS,
                )
            signals += map(_signal, report.findings[:_MOST_SIGNALS])
        self.skipped = (*sentences, *skips.sentences())
        return tuple(signals)


def _signal(diagnostic: Diagnostic) -> Signal:
    facts = AnalyserResult(
        tool=diagnostic.tool,
        level=diagnostic.level,
        message=diagnostic.message,
        path=diagnostic.path,
        line=diagnostic.line,
        why_not=_WHY_NOT,
    )
    return Signal.of("diagnostics", diagnostic.rule, facts, now())
