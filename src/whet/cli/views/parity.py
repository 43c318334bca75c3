"""The tests that have another outcome in the sandbox than outside."""

from collections.abc import Iterator

from whet.app.proofs.parity import Parity
from whet.domain.plural import count
from whet.domain.sanitize import one_line, sanitize


def parity_lines(parity: Parity) -> Iterator[str]:
    """Yield a line per difference, the counts, and a hint if a test fails only in the sandbox."""
    for difference in parity.differences:
        yield sanitize(f"{difference.test}: {difference.inside} in the sandbox, {difference.outside} outside")
        if difference.message:
            yield f"    {sanitize(one_line(difference.message))}"
    yield f"{count(parity.compared, 'test')} compared, {count(len(parity.differences), 'difference')}"
    if parity.only_inside or parity.only_outside:
        yield f"{parity.only_inside} ran only in the sandbox, {parity.only_outside} only outside"
    if any(difference.inside in ("failed", "error") for difference in parity.differences):
        yield "a test that fails only in the sandbox may need files that git ignores (target.extra_files in whet.toml),"
        yield "the network, or a home folder: none of these is there"
