from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import ClassVar

import pytest

from whet.domain.canonical import digest
from whet.domain.category import Category
from whet.domain.finding import Finding
from whet.domain.payload import FailingTest
from whet.domain.place import Place
from whet.domain.signal import Signal
from whet.domain.suggestion import Suggestion
from whet.errors import SignalUnclaimed, UsageError
from whet.phases.diagnose import Analyzer
from whet.phases.diagnose.step import find

NOW = datetime(2026, 1, 2, tzinfo=UTC)


@dataclass(frozen=True)
class Todo:
    """The payload of a plug-in's own signal kind."""

    kind: ClassVar[str] = "todo"
    path: str


class EachSubject:
    """An analyzer that makes a finding of each subject."""

    minimum_signals = 1

    def __init__(self, *kinds: str) -> None:
        self.kinds = kinds

    def findings(self, signals: Sequence[Signal]) -> list[Finding]:
        return [
            Finding(
                id=f"f-{signal.subject}", kind=signal.kind, signature=digest(signal.subject), title=signal.subject,
                category=Category.CODE_QUALITY, subjects=(signal.subject,), paths=(signal.subject.partition("::")[0],),
                signals=(signal,), score=0.5, reasons=("seen",), minimum_signals=1,
            )
            for signal in signals
        ]  # fmt: skip

    def places(self, finding: Finding, base: str) -> tuple[Place, ...]:
        return ()


def todo(path: str) -> Signal:
    return Signal.of("todos", path, Todo(path), NOW)


def failing(test: str) -> Signal:
    return Signal.of("tests", test, FailingTest(outcome="failed"), NOW)


def suggestion(where: str) -> Signal:
    return Signal.of("suggestions", "s-1", Suggestion(id="s-1", text="?", where=where, by="x", at=NOW), NOW)


def test_a_signal_that_no_analyzer_claims_is_an_error_that_names_its_source() -> None:
    with pytest.raises(SignalUnclaimed, match="the source 'todos' gives signals of kind 'todo'") as error:
        find([todo("a.py")], {"tests": EachSubject("failing_test")}, "base")
    assert "observe.sources" in error.value.remedy


def test_an_analyzer_of_a_plug_in_makes_findings_of_its_own_kind() -> None:
    [finding] = find([todo("a.py")], {"tests": EachSubject("failing_test"), "todos": EachSubject("todo")}, "base")
    assert finding.kind == "todo"


def test_two_analyzers_that_claim_one_kind_are_refused() -> None:
    analyzers: dict[str, Analyzer] = {"one": EachSubject("todo"), "two": EachSubject("todo")}
    with pytest.raises(UsageError, match="'one' and 'two' both claim"):
        find([todo("a.py")], analyzers, "base")


def test_the_minimum_of_signals_is_the_analyzers_and_is_recorded() -> None:
    strict = EachSubject("todo")
    strict.minimum_signals = 3
    with pytest.raises(ValueError, match="needs 3 signals, has 1"):
        find([todo("a.py")], {"todos": strict}, "base")
    [finding] = find([todo("a.py")], {"todos": EachSubject("todo")}, "base")
    assert finding.minimum_signals == 1


def test_a_finding_in_a_file_that_somebody_suggested_to_improve_ranks_higher() -> None:
    analyzers = {"todos": EachSubject("todo"), "suggestions": EachSubject("suggestion")}
    first, second, _ = find([todo("a.py"), todo("b.py"), suggestion("b.py")], analyzers, "base")
    assert (first.title, second.title) == ("b.py", "a.py")
    assert first.reasons[-1] == "someone asked for an improvement there"


def test_named_tests_become_one_finding_and_everything_else_is_left_out() -> None:
    signals = [failing("t.py::a"), failing("t.py::b"), failing("t.py::c"), todo("a.py")]
    analyzers = {"tests": EachSubject("failing_test"), "todos": EachSubject("todo")}
    [finding] = find(signals, analyzers, "base", ("t.py::a", "t.py::c"))
    assert finding.subjects == ("t.py::a", "t.py::c")
    assert len(finding.signals) == 2
