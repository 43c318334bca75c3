"""The edits that repair would try first in one function, for a proof that compares a patch with other fixes."""

from collections.abc import Iterator
from itertools import islice, takewhile

from whet.domain.place import Place
from whet.phases.propose.repair.generate import candidates
from whet.phases.propose.repair.hints import Hints

_MOST, _LEAST_RANK = 80, 0.2


def likely_edits(path: str, source: str, function: str, lines: range) -> Iterator[tuple[str, str]]:
    """Yield (description, source) of the likeliest single edits of a function, likeliest first. `lines` are its lines."""
    places = [Place(path=path, line=line, function=function, suspicion=1.0, why="") for line in lines]
    likely = takewhile(lambda candidate: candidate.rank >= _LEAST_RANK, candidates(path, source, places, Hints()))
    for candidate in islice(likely, _MOST):
        yield candidate.summary, candidate.source
