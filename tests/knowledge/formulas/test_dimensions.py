"""The units of an expression follow from those of its arguments and constants."""

import ast

import pytest

from whet.config import FormulaPolicy
from whet.knowledge.formulas.declared import Formula
from whet.knowledge.formulas.dimensions import Mismatch, NotFollowed, check_dimensions

UNITS = {"mass": "kg", "speed": "m/s", "length": "m", "time": "s", "angle": "rad"}


def formula(source: str, unit: str, **constants: str) -> Formula:
    tree = ast.parse(source)
    node = next(node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "f")
    arguments = {argument.arg: {"unit": UNITS[argument.arg]} for argument in node.args.args if argument.arg in UNITS}
    policy = FormulaPolicy.model_validate(
        {"function": "a:f", "unit": unit, "arguments": arguments, "constants": constants}
    )
    return Formula("a", policy, "a.py", "", source, node, ())


def body(expression: str) -> str:
    return f"import math\n\ndef f(mass, speed, length, time, angle, n):\n    return {expression}\n"


@pytest.mark.parametrize(
    ("expression", "unit"),
    [
        ("0.5 * mass * speed ** 2", "J"),
        ("mass * length / time ** 2", "N"),
        ("speed * time + length", "m"),
        ("math.sqrt(length ** 2 + (speed * time) ** 2)", "m"),
        ("max(0, length - speed * time)", "m"),
        ("length if length > 0 else 0", "m"),
        ("length * math.sin(angle) * math.pi", "m"),
        ("math.exp(-time / (length / speed))", "1"),
        ("abs(-length) // n", "m"),
        ("length ** -1", "1/m"),
        ("length ** 0.5 * length ** (1 / 2)", "m"),
        ("math.hypot(length, speed * time) % length", "m"),
    ],
)
def test_an_expression_whose_units_fit_is_accepted(expression: str, unit: str) -> None:
    check_dimensions(formula(body(expression), unit), ())


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        ("0.5 * mass * speed", "the result is kg*m*s^-1, and the declared unit J is kg*m^2*s^-2"),
        ("mass + speed", "line 4: `mass + speed` puts together kg and m*s^-1"),
        ("mass * speed ** 2 if speed > time else 0", "line 4: `speed > time` puts together m*s^-1 and s"),
        ("mass * speed ** 2 + 1", "puts together kg*m^2*s^-2 and a number without a unit"),
        ("mass * speed ** 2.01", "the result is kg*m^(201/100)*s^(-201/100)"),
        ("math.exp(time)", "needs a number, and `time` is s"),
        ("n ** length", "needs a number, and `length` is m"),
        ("max(length, time)", "puts together m and s"),
        ("math.hypot(length, time)", "puts together m and s"),
    ],
)
def test_units_that_do_not_fit_are_named_with_their_line(expression: str, words: str) -> None:
    with pytest.raises(Mismatch) as mismatch:
        check_dimensions(formula(body(expression), "J"), ())
    assert words in str(mismatch.value)


STATEMENTS = '''import math
from other import TABLE

DENSITY = 1.2
HALF = 0.5


def square(x, scale=1):
    """Return the square."""
    assert scale > 0
    return x * x * scale


def f(mass, speed, length):
    if speed < 0:
        raise ValueError(speed)
    area = length ** 2
    if speed > 0:
        force = HALF * DENSITY * area * square(speed)
    else:
        force = 0
    force, rest = force, 0
    force += rest
    return force
'''


def test_statements_calls_and_constants_are_followed() -> None:
    check_dimensions(formula(STATEMENTS, "N", DENSITY="kg/m^3"), ())


def test_a_constant_without_a_unit_is_a_number() -> None:
    with pytest.raises(Mismatch, match="the declared unit N is"):
        check_dimensions(formula(STATEMENTS, "N"), ())


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("def f(mass):\n    for n in range(3):\n        mass *= 2\n    return mass\n", "line 2: `for n in range(3)"),
        ("def f(mass):\n    return look_up(mass)\n", "the function `look_up` is not followed"),
        ("from b import G\n\ndef f(mass):\n    return G * mass\n", "G has no one known unit; a constant is declared in `constants`"),
        ("import b\n\ndef f(mass):\n    return b.G * mass\n", "b.G has no known unit"),
        ("def f(mass, n):\n    return mass ** n\n", "the exponent `n` of kg is not a plain number"),
        ("def f(mass):\n    return f(mass)\n", "nested too deep"),
        ("def f(mass):\n    return mass ** True\n", "the exponent `True` of kg is not a plain number"),
        ("def f(mass):\n    return pow(mass)\n", "the function `pow` is not followed"),
        ("def f(mass):\n    return mass + [mass][0]\n", "`[mass][0]` is not followed"),
        ("X = Y\nY = X\n\ndef f(mass):\n    return X * mass\n", "Y has no one known unit"),
        (
            "def f(mass, length, n):\n    if n:\n        x = mass\n    else:\n        x = length\n    return x\n",
            "line 6: x has no one known unit",
        ),
        ("def f(mass):\n    pass\n", "f returns nothing"),
        ("".join(f"def g{n}(mass):\n    return g{n + 1}(mass) + g{n + 1}(mass)\n" for n in range(19))
         + "def g19(mass):\n    return mass\n\ndef f(mass):\n    return g1(mass)\n", "the expression is too long"),
    ],
)  # fmt: skip
def test_what_is_not_followed_is_said(source: str, words: str) -> None:
    with pytest.raises(NotFollowed) as problem:
        check_dimensions(formula(source, "kg"), ())
    assert words in str(problem.value)


def test_a_constant_of_another_module_can_be_declared() -> None:
    check_dimensions(formula("import b\n\ndef f(mass):\n    return b.G * mass\n", "N", G="m/s^2"), ())
