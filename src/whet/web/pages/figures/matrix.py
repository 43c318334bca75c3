"""The matrix of a proof: each test id with its result on the base, with the patch and with the patch taken out."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from whet.app.project import Project
from whet.domain.evidence import Evidence
from whet.domain.suite import Outcome
from whet.domain.verdict import CheckResult
from whet.target.packages.affected import owner_of

PAGE = 50

RED, GREEN, FLAKY, ABSENT, UNKNOWN = "red", "green", "flaky", "absent", "unknown"


@dataclass(frozen=True)
class MatrixRow:
    """One test: its cells are `red`, `green`, `flaky`, `absent` or `unknown`."""

    test: str
    base: str
    patched: str
    reverted: str
    also: str = ""


@dataclass(frozen=True)
class MatrixGroup:
    """Rows that belong together. `empty` is the sentence to show if there are no rows."""

    name: str
    title: str
    rows: tuple[MatrixRow, ...]
    empty: str = ""


@dataclass(frozen=True)
class HeldTests:
    """One page of the tests that did what they did before. `known` is false if their ids are no longer stored."""

    total: int
    known: bool
    query: str
    page: int
    pages: int
    matching: int
    tests: tuple[tuple[str, str], ...]


def groups(check: CheckResult) -> tuple[MatrixGroup, ...]:
    """Return the open groups of a check: targets, differing tests, flaky ones, and those that stay red."""
    return (
        MatrixGroup("targets", "Targets", tuple(_targets(check)), "This check has no targets of its own."),
        MatrixGroup("differs", "Differs", tuple(_differing(check)), "No other test changed. That is good."),
        MatrixGroup(
            "flaky",
            "Flaky, set apart",
            tuple(MatrixRow(test, FLAKY, FLAKY, UNKNOWN) for test in check.flaky),
            "No test changed its answer without a change of the code.",
        ),
        MatrixGroup(
            "stays",
            "Red before and after",
            tuple(MatrixRow(test, RED, RED, UNKNOWN) for test in check.still_red),
            "No other test is red.",
        ),
    )


def _targets(check: CheckResult) -> Iterator[MatrixRow]:
    green, reverted = set(check.green), set(check.reverted)
    for test in check.red:
        yield MatrixRow(test, RED, GREEN if test in green else RED, RED if test in reverted else GREEN)


def _differing(check: CheckResult) -> Iterator[MatrixRow]:
    for test in check.regressed:
        yield MatrixRow(test, GREEN, RED, UNKNOWN, "got worse")
    for test in check.missing:
        yield MatrixRow(test, GREEN, ABSENT, UNKNOWN, "did not run")
    for test in check.also_mended:
        yield MatrixRow(test, RED, GREEN, UNKNOWN, "turned green too")


def held(project: Project, evidence: Evidence, check: CheckResult, query: str, page: int) -> HeldTests:
    """Return one page of the held tests whose id contains `query`.

    The evidence has their number; their ids come from the stored run of the base, which is kept for a day.
    """
    everything = _held_ids(project, evidence.base, check) if check.check == "tests" else ()
    matching = [row for row in everything if query.casefold() in row[0].casefold()] if query else list(everything)
    pages = max(1, -(-len(matching) // PAGE))
    page = min(max(page, 1), pages)
    shown = matching[(page - 1) * PAGE : page * PAGE]
    return HeldTests(check.held, bool(everything), query, page, pages, len(matching), tuple(shown))


def _held_ids(project: Project, base: str, check: CheckResult) -> Sequence[tuple[str, str]]:
    outcomes = _outcomes(project, project.git.tree_of(base), check.package)
    apart = {*check.red, *check.regressed, *check.missing, *check.flaky, *check.also_mended, *check.still_red}
    return [(test, outcome) for test, outcome in outcomes if test not in apart]


def _outcomes(project: Project, tree: str, package: str) -> tuple[tuple[str, str], ...]:
    """Return the tests of the newest stored run of a tree: of several packages, that of this one."""
    from whet.store.runs import StoredRuns

    for text in StoredRuns(project.store).texts_of_tree(tree):
        outcomes = _read_outcomes(text)
        if not package or any(_is_in(package, test, project) for test, _ in outcomes[:1]):
            return outcomes
    return ()


def _is_in(package: str, test: str, project: Project) -> bool:
    owner = owner_of(test.partition("::")[0], project.policy.project)
    return owner is not None and owner.title == package


@lru_cache(maxsize=4)
def _read_outcomes(report: str) -> tuple[tuple[str, str], ...]:
    """Return the tests of a stored run that were not red, by id. Cached, because a run of 10,000 tests takes a while."""
    import json

    outcomes = json.loads(report).get("outcomes", {})
    return tuple(sorted((str(test), str(outcome)) for test, outcome in outcomes.items() if not _is_red(outcome)))


def _is_red(outcome: str) -> bool:
    return outcome in (Outcome.FAILED, Outcome.ERROR)
