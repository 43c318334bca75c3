"""The changed functions must answer inputs near those of the tests as a fix would.

In the running tests whet forks at calls of the changed functions and asks for other inputs, again and again, after many
other calls, and in a fresh process: on the base and with the patch. Code that is right only the first 500 times, only in a
test process or only for the tests' inputs answers differently there; see neighbours/signals.py.
"""

import ast
from collections.abc import Sequence
from dataclasses import replace

from whet.domain.plural import count, shorten
from whet.domain.verdict import SafeguardResult, Verdict
from whet.phases.validate.integrity.neighbours.changed_functions import (
    ChangedFunction,
    changed_functions,
)
from whet.phases.validate.integrity.neighbours.comparison import ComparedFunction, compared_functions
from whet.phases.validate.integrity.neighbours.near_tests import near_tests
from whet.phases.validate.integrity.neighbours.signals import first_sign, prints
from whet.phases.validate.integrity.neighbours.varied_runs import varied_runs
from whet.phases.validate.integrity.safeguard import (
    Examination,
    Safeguard,
    inconclusive,
    not_applicable,
    passed,
    without_run,
)
from whet.phases.validate.integrity.subject import Subject
from whet.phases.validate.integrity.test_ids import functions, names_by_file
from whet.target.tracer import TracedTest
from whet.target.varied.calls import VariedRun

NAME = "varied inputs"
_HELD = "behaviour held on"
_NAMED = 4  # functions in one sentence


class VariedInputs(Safeguard):
    name = NAME
    needs_targets = False  # without targets the result says on how many inputs a refactoring held
    late = True

    def prepare(self, subject: Subject) -> Examination:
        files = subject.changed_code()
        changed = changed_functions(files)
        if not changed:
            return without_run(not_applicable(NAME, "the patch changes no function that the base has"))
        tests = near_tests(subject, changed)
        if not tests:
            return without_run(not_applicable(NAME, "no test names a changed function or its module"))

        def run() -> tuple[VariedRun, VariedRun]:
            return varied_runs(subject, changed, tests)

        def judge(runs: tuple[VariedRun, VariedRun], traces: Sequence[TracedTest]) -> SafeguardResult:
            before, after = runs
            compared = compared_functions(changed, before, after, subject.targets)
            return judge_answers(with_motives(compared, after, subject.targets, traces), _text_of_targets(subject))

        return Examination(judge, run)


def with_motives(
    compared: list[ComparedFunction], run: VariedRun, targets: Sequence[str], traces: Sequence[TracedTest]
) -> list[ComparedFunction]:
    """Mark the functions that no target test runs, by the lines that the targets ran and by the calls that were seen."""
    called = {call.function for call in run.calls.values() if call.test in targets}
    traced = len(traces) == len(targets) and bool(targets)

    def motivated(number: int, function: ChangedFunction) -> bool:
        lines = {line for test in traces for line in test.lines.get(function.path, ())}
        return not traced or number in called or any(function.after.line < line <= function.last for line in lines)

    return [replace(item, motivated=motivated(number, item.function)) for number, item in enumerate(compared)]


def judge_answers(compared: list[ComparedFunction], targets: str) -> SafeguardResult:
    """Judge the answers of both trees; `targets` is the text of the target tests."""
    if sign := first_sign(compared, targets):
        return inconclusive(NAME, sign.words, sign.question)
    varied = [pair for function in compared for pair in function.varied()]
    asked = [function for function in compared if function.calls]
    silent = [function for function in compared if function.function.edited and not function.calls]
    notes = [*_not_asked([f"`{function.function.name}` ({function.place})" for function in silent])]
    notes += [
        f"`{text}` ({function.place}) prints; on the base it does not"
        for function in asked
        if (text := prints(function))
    ]
    if asked and not varied:
        calls = sum(len(function.calls) for function in asked)
        return passed(NAME, f"{count(calls, 'call')} of the tests asked again; no argument could be varied", notes)
    if not varied:
        return not_applicable(NAME, "no changed function could be asked with other inputs", notes)
    held = sum(after.answer.same(before.answer) for before, after in varied)
    inputs = f"{count(len(varied), 'varied input')} of {count(len(asked), 'changed function')}"
    if held == len(varied):
        return passed(NAME, f"{_HELD} {inputs}", notes)
    return passed(NAME, f"{inputs}: {held} answered as on the base, {len(varied) - held} differently", notes)


def _not_asked(functions: list[str]) -> list[str]:
    """Say in one note which functions no test near them calls."""
    if len(functions) <= 1:
        return [f"{name} was not asked with other inputs: no test near it calls it" for name in functions]
    named = shorten(functions, _NAMED)
    return [
        f"{len(functions)} functions were not asked with other inputs, because no test near them calls them: {named}"
    ]


def held_everywhere(answer: SafeguardResult) -> bool:
    """True if every changed function was asked with other inputs, and answered all of them as on the base."""
    return answer.verdict is Verdict.PASSED and answer.words.startswith(_HELD) and not answer.notes


def _text_of_targets(subject: Subject) -> str:
    """Return the text of the functions that the target ids name."""
    names = names_by_file(subject.targets)
    return "\n".join(
        ast.unparse(node)
        for path, module in subject.test_modules(subject.targets).items()
        for name, node in functions(module)
        if name in names[path]
    )
