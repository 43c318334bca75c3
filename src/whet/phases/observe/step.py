from collections.abc import Mapping

from whet.domain.progress import Progress
from whet.domain.redact import redact
from whet.domain.redact_noun import redact_noun
from whet.domain.signal import Signal
from whet.phases.observe import Skipping, Source


def observe(commit: str, sources: Mapping[str, Source], progress: Progress) -> tuple[Signal, ...]:
    """Return every signal that the sources observe at `commit`, with secrets in its texts redacted."""
    signals: list[Signal] = []
    for name, source in sources.items():
        progress.note(f"reading {name}")
        signals += map(redact_noun, source.observe(commit))
    return tuple(signals)


def skipped(sources: Mapping[str, Source]) -> tuple[str, ...]:
    """Return what the last look of each source left out."""
    skipping = ((name, source) for name, source in sources.items() if isinstance(source, Skipping))
    return tuple(redact(f"{name}: {sentence}") for name, source in skipping for sentence in source.skipped)
