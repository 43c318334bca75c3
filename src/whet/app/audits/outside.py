"""Compare the ledger with what is kept outside the database."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from whet.app.project import Project
from whet.domain.acceptance import Acceptance
from whet.errors import Corrupt, StateUnusable
from whet.git.git import Commit
from whet.ledger.entry import Entry
from whet.ledger.witness import REF, WitnessComparison

ACCEPTANCE = "Acceptance"


@dataclass(frozen=True)
class Outside:
    """The ledger compared with its witness and its git ref: problems, what could not be compared, and notes."""

    problems: tuple[str, ...]
    unchecked: tuple[str, ...]
    notes: tuple[str, ...]


def compare_outside(project: Project, entries: Sequence[Entry], commits: Sequence[Commit]) -> Outside:
    """Compare and change nothing. `commits` are the deploy commits, which repeat the commit of the ref."""
    try:
        comparison = project.ledger.compare_witness()
    except StateUnusable as problem:
        return Outside((problem.message,), (), ())
    if comparison is None:
        return Outside((), (), ())
    problems = [comparison.problem] if comparison.problem else []
    problems += [*_rewritten(project, entries), *_unanchored(project, commits)]
    return Outside(tuple(problems), tuple(_unchecked(project, comparison, entries)), tuple(_notes(comparison, entries)))


def _rewritten(project: Project, entries: Sequence[Entry]) -> Iterator[str]:
    """Yield the first row that an earlier commit of the ref contradicts. The newest commit is compared elsewhere."""
    by_seq = {entry.seq: entry.hash for entry in entries}
    for position in reversed(project.ledger_ref.positions()[1:]):
        if position.head.seq and by_seq.get(position.head.seq) != position.head.hash:
            yield (
                f"row {position.head.seq} is missing or different from the one that commit {position.commit[:10]} "
                f"of {REF} names"
            )
            return


def _unanchored(project: Project, commits: Sequence[Commit]) -> Iterator[str]:
    for commit in commits:
        anchor = commit.trailers.get("Whet-Anchor", "")
        if anchor and not project.git.is_ancestor(anchor, REF):
            yield (
                f"commit {commit.id[:10]} names {anchor[:10]}, which is not in the history of {REF}: "
                "the ref was moved back, replaced or deleted"
            )


def _unchecked(project: Project, comparison: WitnessComparison, entries: Sequence[Entry]) -> Iterator[str]:
    if comparison.unwitnessed:
        yield f"{comparison.unwitnessed}. Only the chain, ledger.head and the deploy commits were checked"
    elif comparison.mark is None and entries:
        row = comparison.published.head.seq if comparison.published else 0
        yield (
            f"there is no {project.witness.path}: the record was made on another machine or in another folder. "
            f"{REF} confirms rows 1 to {row} of {len(entries)}; later rows and an older copy of everything cannot be noticed"
        )


def _notes(comparison: WitnessComparison, entries: Sequence[Entry]) -> Iterator[str]:
    mark = comparison.mark
    earlier = (mark.earlier or (mark.row if not entries else "")) if mark else ""
    if earlier and not earlier.startswith("0:"):
        row = earlier.partition(":")[0]
        yield f"an earlier record of this folder ended at row {row}; it was removed together with {REF}"
    for entry in entries:
        if entry.kind == ACCEPTANCE:
            try:
                accepted = entry.read(Acceptance)
            except Corrupt:
                continue  # the audit of the approvals reports it
            people = ", ".join(map(str, accepted.voters)) or f"{entry.actor} (unproven approver)"
            yield (
                f"row {entry.seq}: {people} accepted the record on {entry.at:%Y-%m-%d}: "
                f"{accepted.why} ({'; '.join(accepted.problems)})"
            )
