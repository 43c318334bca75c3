"""Turn the cases and broken properties of a declared formula into a test file that ships with the fix."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from whet.cases.from_suggestion import folder_of_tests
from whet.domain.canonical import digest
from whet.domain.regression import Regression
from whet.domain.sanitize import one_line

Inputs = Mapping[str, bool | int | float | str]


@dataclass(frozen=True)
class FormulaTest:
    """One test: its name, its statements, and whether it is red. `why` says how it fails."""

    name: str
    body: tuple[str, ...]
    red: bool
    why: str = ""


def call(function: str, inputs: Inputs) -> str:
    """Return a call of the function as source."""
    return f"{function}({', '.join(f'{name}={value!r}' for name, value in inputs.items())})"


def case_test(function: str, inputs: Inputs, expected: float, tolerance: float | None) -> str:
    """Return the statement that a case holds."""
    within = "rel=1e-9" if tolerance is None else f"abs={tolerance!r}"
    return f"assert {call(function, inputs)} == pytest.approx({expected!r}, {within})"


def bound_test(function: str, inputs: Inputs, sign: str, bound: float) -> str:
    """Return the statement that a bound holds for these inputs; `sign` is >= or <=."""
    return f"assert {call(function, inputs)} {sign} {bound!r}"


def monotone_test(function: str, inputs: Sequence[Inputs], argument: str, direction: str) -> tuple[str, ...]:
    """Return the statements that the result follows one argument, which rises along these inputs."""
    listed = ", ".join(call(function, each) for each in inputs)
    order = ", reverse=True" if direction == "decreasing" else ""
    return f"values = [{listed}]", f"assert values == sorted(values{order})  # {direction} in {argument}"


def formula_as_tests(
    formula: str, module: str, function: str, tests: Sequence[FormulaTest], paths: Sequence[str],
    is_test: Callable[[str], bool],
) -> Regression:  # fmt: skip
    """Return the test file of a formula. The tests that are not red are held beside the others."""
    file = f"{folder_of_tests(paths, is_test)}test_whet_{digest(['formula', formula])[:8]}.py"
    plain = re.sub(r"\W+", "_", formula).strip("_").lower()
    named = {f"test_{plain}_{test.name}": test for test in tests}
    functions = "".join(
        f"\n\ndef {name}():\n" + "".join(f"    {statement}\n" for statement in test.body)
        for name, test in named.items()
    )
    importing = "import pytest\n\n" if "pytest.approx" in functions else ""
    head = f'"""The formula {one_line(formula)}, as whet.toml declares it."""'.replace("\\", "/")
    return Regression(
        path=file,
        text=f"{head}\n\n{importing}from {module} import {function}\n{functions}",
        red=tuple(f"{file}::{name}" for name, test in named.items() if test.red),
        held=tuple(f"{file}::{name}" for name, test in named.items() if not test.red),
    )
