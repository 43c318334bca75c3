"""The answers of a formula: it is called in the sandbox with all inputs, and the numbers are read outside."""

import ast
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from whet.domain.sanitize import one_line
from whet.kit import Kit
from whet.knowledge.formulas.declared import Formula
from whet.knowledge.formulas.sampling import SampledInputs
from whet.target.ask import ask
from whet.target.packages.affected import owner_of
from whet.target.suite import NO_OVERLAY, Suite

_RAISED = "whet: raised"
_FOLDERS = ("", "src", "lib")
_C_NUMBER = re.compile(r"(?:Decimal|Fraction)\('?([-+.\w]+)'?(?:, (\d+))?\)")
_CASE = """def case():
    for key, inputs in POINTS:
        try:
            value = FORMULA(**inputs)
        except Exception as problem:
            value = ({raised!r}, type(problem).__name__)
        yield key, value
POINTS = {points}
"""


@dataclass(frozen=True)
class FormulaAnswer:
    """The answer to one input: a finite number, or else the words for what happened."""

    number: float | None
    words: str

    @classmethod
    def of(cls, number: float) -> "FormulaAnswer":
        return cls(number, f"{number:.6g}") if math.isfinite(number) else cls(None, str(number))


NO_ANSWER = FormulaAnswer(None, "no answer")


@dataclass(frozen=True)
class Answers:
    """The answers by the position of their input; `problem` says why there are none."""

    by_input: Sequence[FormulaAnswer]
    problem: str = ""


def answers_of(formula: Formula, samples: SampledInputs, tree: str, kit: Kit, *, elsewhere: bool = False) -> Answers:
    """Call the formula with all inputs in a copy of the tree, in the sandbox."""
    if not samples.inputs:
        return Answers(())
    points = [(str(number), dict(inputs)) for number, inputs in enumerate(samples.inputs)]
    module = {
        "imports": f"from {formula.policy.module} import {formula.policy.name} as FORMULA\n",
        "cases": [_CASE.format(raised=_RAISED, points=repr(points))],
    }
    path = list(dict.fromkeys([formula.root.rstrip("/"), *_FOLDERS]))
    request = {"path": path, "modules": [module]}
    events = ask(_suite(formula, kit), tree, NO_OVERLAY, request, elsewhere=elsewhere)
    if events is None:
        return Answers((), "did not answer all inputs within the limits of the sandbox")
    imported = next((event for event in events if event.get("event") == "import"), {})
    if problem := imported.get("problem"):
        return Answers((), f"cannot be imported: {one_line(str(problem))[:80]}")
    return _read(events, len(points))


def _suite(formula: Formula, kit: Kit) -> Suite:
    """Return the suite of the package that holds the formula, whose interpreter runs it."""
    owner = owner_of(formula.path, kit.policy.project)
    return kit.of_package(owner.title).suite if owner else kit.suite


def _read(events: Sequence[dict[str, Any]], number: int) -> Answers:
    """Return the answers in the order of the inputs. An input that is answered twice was answered by somebody else."""
    answers: dict[str, FormulaAnswer] = {}
    for event in events:
        if event.get("event") == "value":
            key = str(event.get("key"))
            if key in answers:
                return Answers((), "answered an input twice: code that is not whet's wrote answers")
            answers[key] = _answer(event)
    return Answers([answers.get(str(index), NO_ANSWER) for index in range(number)])


def _answer(event: dict[str, Any]) -> FormulaAnswer:
    text, kind = event.get("value"), one_line(str(event.get("kind"))).removeprefix("builtins.")[:80]
    if not isinstance(text, str):
        return (
            FormulaAnswer(None, "nan")
            if kind.endswith("float")
            else FormulaAnswer(None, f"a {kind}, which is no number")
        )
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError, RecursionError):
        return _c_number(text, kind)
    if isinstance(value, tuple) and len(value) == 2 and value[0] == _RAISED:
        return FormulaAnswer(None, f"raises {one_line(str(value[1]))[:80]}")
    if isinstance(value, bool | int | float):
        try:
            return FormulaAnswer.of(float(value))
        except OverflowError:
            return FormulaAnswer(None, "a number too large to compare")
    return FormulaAnswer(None, f"a {kind}, which is no number")


def _c_number(text: str, kind: str) -> FormulaAnswer:
    """Return the answer for a Decimal or a Fraction."""
    match = _C_NUMBER.fullmatch(text)
    try:
        return FormulaAnswer.of(float(match[1]) / float(match[2] or 1)) if match else FormulaAnswer(None, f"a {kind}")
    except (ValueError, OverflowError, ZeroDivisionError):
        return FormulaAnswer(None, f"a {kind}, which is no number")
