from itertools import count

from whet.domain.progress import Silent
from whet.phases.propose.repair.candidate import Candidate
from whet.phases.propose.repair.progress import SearchProgress


class RecordedNotes(Silent):
    def __init__(self) -> None:
        self.notes: list[str] = []

    def note(self, text: str) -> None:
        self.notes.append(text)


def candidate(line: int, summary: str, naturalness: float) -> Candidate:
    return Candidate("m.py", "", "constant", line, summary, 1.0, naturalness)


def test_progress_reports_count_rate_and_the_best_edit_so_far() -> None:
    progress, ticks = RecordedNotes(), count()
    search = SearchProgress(progress, lambda: next(ticks) / 4)
    both = [candidate(3, "Use 2 instead of 1 in f()", 0.2), candidate(7, "Use <= instead of < in f()", 0.9)]
    assert list(search.counted(both)) == both
    search.green(both)
    list(search.counted(both[:1]))
    assert progress.notes == [
        "1 edit tried, 4 a second",
        "2 edits tried, 4 a second",
        "3 edits tried, 4 a second; 2 green, best so far: Use <= instead of < in f()",
    ]


def test_progress_is_not_reported_for_every_edit() -> None:
    progress, ticks = RecordedNotes(), count()
    search = SearchProgress(progress, lambda: next(ticks) / 128)
    list(search.counted([candidate(1, "", 0.1)] * 100))
    assert len(progress.notes) == 3
