"""Value-guided synthesis: the holes of a function, the trials, and the candidates made of what fits."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pytest

from whet.domain.place import Place
from whet.phases.propose.repair.hints import Hints
from whet.phases.propose.repair.synthesis.grammar import Grammar
from whet.phases.propose.repair.synthesis.hole import Hole, HoleRole, holes
from whet.phases.propose.repair.synthesis.synthesis import Synthesis
from whet.phases.propose.repair.synthesis.trials import solved, trials
from whet.target.warm_pool import CandidateResult

SOURCE = """\
def bill(entries, limit, kind):
    result = []
    for name, amount, state in entries:
        if amount > limit:
            result.append(name)
    return result
"""
PLACES = [Place(path="m.py", line=line, function="bill", suspicion=0.5, why="") for line in (4, 5, 6)]
RED, GREEN = "t.py::red", "t.py::green"


def holes_of(role: HoleRole, source: str = SOURCE) -> list[Hole]:
    return [hole for hole in holes(source, PLACES, Hints()) if hole.role is role]


def test_conditions_results_and_arguments_are_holes() -> None:
    assert [hole.original for hole in holes_of(HoleRole.CONDITION)] == ["amount > limit"]
    assert {hole.original for hole in holes_of(HoleRole.VALUE)} == {"[]", "result", "name"}


def test_a_new_condition_leaves_before_a_line_or_stands_around_it() -> None:
    edits = [hole.edit("state") for hole in holes_of(HoleRole.NEW_CONDITION)]
    texts = {edit.replacements[0].text for edit in edits}
    assert "            if state:\n                continue\n" in texts
    assert "if state:\n                result.append(name)" in texts
    summaries = {edit.summary.render("bill()") for edit in edits}
    assert "Run result.append(name) only if state in bill()" in summaries
    assert "Continue if state in bill()" in summaries


@pytest.mark.parametrize("line", ["(yield x)", "(y := x)"])
def test_an_expression_that_means_something_else_in_a_lambda_is_no_hole(line: str) -> None:
    source = f"def f(x):\n    y = 0\n    y = {line}\n    return y\n"
    places = [Place(path="m.py", line=3, function="f", suspicion=0.5, why="")]
    assert [hole for hole in holes(source, places, Hints()) if hole.role is HoleRole.VALUE] == []


def test_every_failing_test_has_its_own_expected_value() -> None:
    result = next(hole for hole in holes_of(HoleRole.VALUE) if hole.original == "result")
    first = next(trials(result, {RED: ("['a']",), GREEN: ("[]", "['b']")}))
    assert first.forced == {RED: (-1, "['a']"), GREEN: (-1, "[]")}
    assert list(trials(result, {})) == []


def test_a_hole_is_solved_if_every_target_passes_in_some_trial() -> None:
    (condition,) = holes_of(HoleRole.CONDITION)
    first, second, *_ = trials(condition, {})
    outcomes = [{RED: "passed", GREEN: "failed"}, {RED: "passed", GREEN: "passed"}]
    results = list(zip((first, second), outcomes, strict=True))
    assert solved(results, [RED, GREEN]) == {condition: {RED: (-1, "True"), GREEN: (-1, "False")}}
    assert solved(results[:1], [RED, GREEN]) == {}


def test_a_structure_becomes_an_expression_with_the_parentheses_that_it_needs() -> None:
    (condition,) = holes_of(HoleRole.CONDITION)
    grammar = Grammar(condition)
    request = grammar.request([RED])
    atoms, unary, binary = request["atoms"], request["unary"], request["binary"]
    kind, state, amount = (atoms.index(name) for name in ("kind", "state", "amount"))
    equal, plus, length = len(unary) + binary.index("a == b"), len(unary) + binary.index("a + b"), unary.index("len(a)")
    times = len(unary) + binary.index("a * b")
    assert grammar.text(["and", 0, [equal, kind, state]]) == "amount > limit and kind == state"
    assert grammar.text([length, state]) == "len(state)"
    assert grammar.text([times, [plus, amount, amount], kind]) == "(amount + amount) * kind"


def test_small_and_usual_expressions_that_keep_the_original_are_likelier() -> None:
    grammar = Grammar(holes_of(HoleRole.CONDITION)[0])
    request = grammar.request([RED])
    forms = [*request["unary"], *request["binary"]]
    equal, either, length = forms.index("a == b"), forms.index("a ^ b"), forms.index("len(a)")
    ordered = [["and", 0, [equal, 1, 2]], [equal, 1, 2], [equal, [length, 1], 2], [either, [length, 1], 2]]
    likelihoods = [grammar.likelihood(structure) for structure in ordered]
    assert likelihoods[1] > likelihoods[2] > likelihoods[3]
    assert likelihoods[0] > likelihoods[2]
    assert grammar.likelihood(0) == 1.0


@pytest.mark.parametrize("structure", [10_000, -1, ["os.system", 0, 1], [9_999, 0], [0, 0, 0], "0", None, []])
def test_an_answer_of_the_sandbox_that_is_no_structure_is_dropped(structure: object) -> None:
    assert Grammar(holes_of(HoleRole.CONDITION)[0]).text(structure) == ""


class FakeSandboxes:
    """The red test passes if the condition of line 4 is negated at its second visit; one expression fits."""

    width = 1

    def __init__(self, fitting: Sequence[tuple[object, float]]) -> None:
        self._fitting = tuple(fitting)

    def run(self, *args: object, **more: object) -> list[CandidateResult]:
        raise AssertionError("synthesis only fills holes")

    observe = run

    def fill(
        self,
        versions: Iterable[tuple[Mapping[str, str], Mapping[str, Any]]],
        tests: Sequence[str],
        timeout_seconds: float,
        *,
        swift: bool = False,
    ) -> list[CandidateResult]:
        results = []
        for files, how in versions:
            at_condition = "if __whet_hole__(lambda: (amount > limit)):" in files["m.py"]
            passes = at_condition and (1, None) in how["forced"].values()
            outcomes = {RED: "passed" if passes else "failed"}
            fitting = self._fitting if "grammar" in how and passes else ()
            results.append(CandidateResult(outcomes, 0.0, timed_out=False, fitting=fitting))
        return results


def test_what_fits_becomes_a_candidate() -> None:
    (condition,) = holes_of(HoleRole.CONDITION)
    request = Grammar(condition).request([RED])
    equal = len(request["unary"]) + request["binary"].index("a == b")
    kind, state = request["atoms"].index("kind"), request["atoms"].index("state")
    warm = FakeSandboxes([(["and", 0, [equal, kind, state]], 1.0), ([equal, kind, state], 0.5), ("nonsense", 1.0)])
    synthesis = Synthesis(warm, [RED], [GREEN], {})
    first, second = synthesis.candidates({"m.py": SOURCE}, PLACES, Hints(), (float("inf"), 1.0))
    assert "        if amount > limit and kind == state:\n" in first.source
    assert "        if kind == state:\n" in second.source
    assert first.summary == "Use `amount > limit and ki...` instead of `amount > limit` in bill()"
    assert first.rank > second.rank


def test_a_constant_is_no_answer() -> None:
    grammar = Grammar(next(hole for hole in holes_of(HoleRole.VALUE) if hole.original == "name"))
    atoms = grammar.request([RED])["atoms"]
    assert grammar.text(atoms.index("0")) == ""
    assert grammar.text(atoms.index("state")) == "state"


def test_a_structure_that_is_too_large_is_dropped() -> None:
    structure: object = 1
    for _ in range(5000):
        structure = [0, structure]
    assert Grammar(holes_of(HoleRole.CONDITION)[0]).text(structure) == ""


def test_a_form_may_use_the_attributes_and_the_harmless_functions_of_the_file() -> None:
    source = f"{SOURCE}\n\ndef size(row):\n    return len(row.cells)\n\n\ndef empty(row):\n    row.cells = []\n"
    hole = holes_of(HoleRole.CONDITION, source)[0]
    unary = Grammar(hole).request([RED])["unary"]
    assert {"a.cells", "all(item.cells for item in a)", "size(a)"} <= set(unary)
    assert "empty(a)" not in unary
