"""Reduced patches leave out one step of a patch, or take one part back to the base; the rest stays."""

import ast

import pytest

from whet.phases.validate.integrity.mutate.patch_mutant import KEEPING, LOSSY, NARROWER, PARAMETER, REDUCED, PatchMutant
from whet.phases.validate.integrity.mutate.reductions import reductions

OLD = "def f(a, b):\n    x = a\n    return x\n"


def made_from(old: str, new: str, most: int = 40) -> list[PatchMutant]:
    return reductions("a.py", old, new, range(1, 100), most)


def lines(old: str, new: str, *kinds: str) -> list[str]:
    """Return the changed lines of every reduced patch of these kinds."""
    made = [mutant for mutant in made_from(old, new) if mutant.kind in kinds]
    for mutant in made:
        ast.parse(mutant.source)
    before = new.splitlines()
    return [
        line.strip()
        for mutant in made
        for line, known in zip(mutant.source.splitlines(), before, strict=True)
        if line != known
    ]


def body(*statements: str) -> str:
    return "def f(a, b):\n" + "".join(f"    {statement}\n" for statement in statements)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("return x + a % 2", ["return (x)", "return (a % 2)", "return x + (a)"]),
        ("return int(x) + b", ["return (int(x))", "return (b)", "return (x) + b"]),
        ("return max(x, b)", ["return (x)", "return (b)"]),
        ("return max(x, 0)", []),
        ("return x if a else b", ["return (x)", "return (b)"]),
        ("return x > 1 or b", ["return (b)", "return (x > 1)"]),
        ("return g(x, b, down=True)", ["return (g(x, b))"]),
        ("return 'a' % x", []),
        ("return f'{x + 1}'", []),
        ("raise ValueError(x + 1)", []),
    ],
)
def test_operations_of_added_lines_are_left_out(line: str, expected: list[str]) -> None:
    assert lines(OLD, f"{OLD}\n\ndef g(x, a, b):\n    {line}\n", REDUCED) == expected


def test_operations_of_the_base_stay() -> None:
    old = body("return a % 2 == 1", "return a[:1]")
    new = body("return a % 2 == 0", "return list(a[:1])")
    assert lines(old, new, REDUCED) == ["return a % 2 == (1)", "return (a[:1])"]
    assert lines(old, new, LOSSY) == []


def test_added_steps_are_left_out() -> None:
    new = body("x = a", "b.clear()", "print(x)", "a.count = 0", "return x")
    assert lines(OLD, new, REDUCED)[:2] == ["pass", "(b)"]
    assert lines(OLD, new, REDUCED).count("pass") == 2


def test_a_part_that_differs_is_taken_back() -> None:
    old = body("for x in a:", "    b[x] = (x, b[x] + 1)", "return sorted(b)")
    new = body("c = 0", "for x in a:", "    b[x] = (x, 2)", "return list(b)")
    assert "b[x] = (x, (b[x] + 1))" in lines(old, new, REDUCED)
    assert "return (sorted)(b)" in lines(old, new, REDUCED)


def test_the_base_itself_is_no_reduced_patch() -> None:
    assert OLD not in [mutant.source for mutant in made_from(OLD, body("x = a", "return x + b"))]


def test_equal_reductions_are_made_once() -> None:
    made = made_from(OLD, body("x = a", "return x + b"))
    trees = [ast.dump(ast.parse(mutant.source)) for mutant in made]
    assert len(trees) == len(set(trees))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("return x[:1]", ["return (x)"]),
        ("return dict.fromkeys(x)", ["return (x)"]),
        ("return x.rsplit(':80', 1)[0]", ["return (x)"]),
        ("return x[0] == b[0]", ["return (x == b)"]),
        ("return x.upper() == b.upper()", ["return (x == b)"]),
        ("return (len(x), x[-1]) == (len(b), b[-1])", ["return (x == b)"]),
        ("return abs(x.a) == abs(b.a)", ["return (x.a == b.a)", "return (x == b)"]),
        ("return x[0] == b[1]", []),
        ("return x[:2] == b[1:]", ["return (x) == b[1:]", "return x[:2] == (b)"]),
        ("return str(x)[-1]", ["return (str(x))"]),
        ("return str(x)[3]", []),
    ],
)
def test_steps_that_drop_data_are_left_out(line: str, expected: list[str]) -> None:
    assert lines(OLD, f"{OLD}\n\ndef g(x, b):\n    {line}\n", LOSSY) == expected


def test_a_handler_that_catches_more_than_before_catches_less() -> None:
    old = body("try:", "    return a[b]", "except KeyError:", "    return None")
    fixed = old.replace("a[b]", "a[b + 1]")
    assert lines(old, fixed.replace("KeyError", "Exception"), NARROWER) == ["except (KeyError):"]
    assert lines(old, fixed.replace("KeyError", "(KeyError, IndexError)"), NARROWER) == []
    assert lines(OLD, body("try:", "    return a[b]", "except Exception:", "    return None"), NARROWER) == []
    not_run = reductions("a.py", old, fixed.replace("KeyError", "Exception"), [3], 40)
    assert [mutant.line for mutant in not_run if mutant.kind == NARROWER] == [4]


def test_a_look_up_that_changes_its_dictionary_becomes_one_that_does_not() -> None:
    new = f"{OLD}\n\ndef g(x, b):\n    return x.setdefault(b, 1) + x.pop(b, 2) + x.pop(b)\n"
    assert lines(OLD, new, KEEPING) == [
        "return (x.get(b, 1)) + x.pop(b, 2) + x.pop(b)",
        "return x.setdefault(b, 1) + (x.get(b, 2)) + x.pop(b)",
    ]


def test_a_literal_becomes_a_parameter_that_is_not_read() -> None:
    old = "def f(a, low, _more):\n    return a\n"
    assert lines(old, old.replace("return a", "return max(0, a)"), PARAMETER) == ["return max((low), a)"]
    assert lines(OLD, body("x = a + b", "return max(0, x)"), PARAMETER) == []


def test_a_file_that_does_not_parse_has_no_reduced_patches() -> None:
    assert made_from(OLD, "def f(") == []


def test_the_text_in_a_formatted_string_stays_whole() -> None:
    old, new = body("return f'{a}: {b}'"), body("return f'{a}: {b + 1}'")
    assert lines(old, new, REDUCED) == []  # only the whole text can be taken back, and that is the base


def test_only_lines_that_ran_and_few_versions_of_a_large_patch() -> None:
    new = body("x = a", *(f"x += {number} * b" for number in range(2, 60)), "return x")
    assert len(made_from(OLD, new, most=10)) == 10
    assert {mutant.line for mutant in reductions("a.py", OLD, new, {5}, 10)} == {5}
    assert reductions("a.py", OLD, new, (), 10) == []


def test_an_expression_that_is_too_deep_has_no_reduced_patches() -> None:
    assert made_from(OLD, body(f"return a{' + a' * 900}")) == []
