from itertools import count

from whet.domain.progress import Silent
from whet.phases.propose.repair.candidate import Candidate
from whet.phases.propose.repair.progress import Tally


class Noted(Silent):
    def __init__(self) -> None:
        self.notes: list[str] = []

    def note(self, text: str) -> None:
        self.notes.append(text)


def candidate(line: int, description: str, naturalness: float) -> Candidate:
    return Candidate("m.py", "", "constant", line, description, 1.0, naturalness)


def test_progress_tells_how_many_how_fast_and_the_best_so_far() -> None:
    progress, ticks = Noted(), count()
    report = Tally(progress, lambda: next(ticks) / 4)
    both = [candidate(3, "`1` becomes `2`", 0.2), candidate(7, "`<` becomes `<=`", 0.9)]
    assert list(report.counted(both)) == both
    report.green(both)
    list(report.counted(both[:1]))
    assert progress.notes == [
        "1 edits tried, 4 a second",
        "2 edits tried, 4 a second",
        "3 edits tried, 4 a second; 2 green, best so far m.py:7: `<` becomes `<=`",
    ]


def test_progress_is_not_told_at_every_edit() -> None:
    progress, ticks = Noted(), count()
    report = Tally(progress, lambda: next(ticks) / 128)
    list(report.counted([candidate(1, "", 0.1)] * 100))
    assert len(progress.notes) == 3
