from collections.abc import Mapping

from whet.domain.progress import Progress
from whet.domain.redact_noun import redact_noun
from whet.domain.signal import Signal
from whet.phases.observe import Source


def observe(commit: str, sources: Mapping[str, Source], progress: Progress) -> tuple[Signal, ...]:
    """Return every signal that the sources observe at `commit`, with secrets in its texts redacted."""
    signals: list[Signal] = []
    for name, source in sources.items():
        progress.note(f"reading {name}")
        signals += map(redact_noun, source.observe(commit))
    return tuple(signals)
