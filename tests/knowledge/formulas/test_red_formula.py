"""A formula that is wrong becomes a test file whose tests fail for the right reason, and pass once it is right."""

import pytest

from tests.support import MakeRepo
from whet.app.project import open_project
from whet.knowledge.formulas.red_formula import broken_formula

POLICY = """[tests]
folders = ["tests"]
[formulas.declared."net price"]
function = "shop.price:net"
lower = 0
upper = 1000
unit = "EUR"
cases = [
  { inputs = { gross = 100, discount = 0.25, kind = "book" }, expected = 75 },
  { inputs = { gross = 0, discount = 0.25 }, expected = 0 },
]
[formulas.declared."net price".arguments]
gross = { low = 0, high = 1000, unit = "EUR", monotone = "increasing" }
discount = { low = 0, high = 1, unit = "1", monotone = "decreasing" }
count = { low = 1, high = 9, whole = true }
[formulas]
units = ["EUR"]
"""
RIGHT = "def net(gross, discount, count=1, kind=''):\n    return gross * (1 - discount)\n"


@pytest.mark.parametrize(
    ("expression", "red", "words"),
    [
        ("gross * (1 - discount) - 1", ["case_1", "case_2", "lower_bound_0"], "gives -1, below the bound 0"),
        (
            "gross * (1 + discount)",
            ["case_1", "upper_bound_1000", "decreasing_in_discount"],
            "decreasing in discount: ",
        ),
        ("gross * (1 - discount) / count", [], ""),
        ("gross * (1 - discount) if gross < 600 else 0 * gross", ["increasing_in_gross"], "gives 0"),
        ("gross * (1 - discount) * 1000 / (gross + 0.5)", ["case_1"], "instead of 75"),
        ("gross - discount * 100", ["lower_bound_0", "case_2"], "puts together EUR and a number without a unit"),
    ],
)
def test_the_tests_are_red_until_the_formula_is_right(
    make_repo: MakeRepo, expression: str, red: list[str], words: str
) -> None:
    wrong = RIGHT.replace("gross * (1 - discount)", expression)
    repo = make_repo(
        {
            "whet.toml": POLICY,
            "shop/__init__.py": "",
            "shop/price.py": wrong,
            "tests/test_shop.py": "def test_nothing():\n    pass\n",
        }
    )
    kit = open_project(repo.root).kit
    tree = kit.git.tree_of(repo.head)
    found = broken_formula("net price", tree, kit)
    if not red:
        assert found is None
        return
    assert found
    assert words in "; ".join(found.broken)
    assert found.replay
    names = {test.partition("::test_net_price_")[2] for test in found.replay.red}
    assert set(red) <= names
    assert found.failures.keys() == set(found.replay.red)
    written = {found.replay.path: found.replay.text.encode()}
    everything = [*found.replay.red, *found.replay.held]
    before = kit.suite.run(kit.git.with_files(tree, written), everything)
    assert (sorted(before.red), sorted(before.passed)) == (sorted(found.replay.red), sorted(found.replay.held))
    fixed = kit.git.with_files(tree, {**written, "shop/price.py": RIGHT.encode()})
    assert sorted(kit.suite.run(fixed, everything).passed) == sorted(everything)


def test_wrong_units_alone_are_a_finding_without_a_test(make_repo: MakeRepo) -> None:
    repo = make_repo(
        {"whet.toml": POLICY.replace('unit = "EUR"\ncases', 'unit = "EUR^2"\ncases'), "shop/price.py": RIGHT}
    )
    kit = open_project(repo.root).kit
    found = broken_formula("net price", kit.git.tree_of(repo.head), kit)
    assert found
    assert found.broken == ("the units: shop/price.py, the result is EUR, and the declared unit EUR^2 is EUR^2",)
    assert found.replay is None
