"""Declared formulas keep their cases and properties; a patch that loses one fails with the input that shows it."""

import pytest

from tests.support import MakeRepo, Repo
from whet.app.project import open_project
from whet.domain.verdict import CheckResult, Verdict
from whet.errors import BadConfig
from whet.phases.observe.declared.formulas import Formulas
from whet.phases.validate import Claim
from whet.phases.validate.formulas.check import FormulaCheck

POLICY = """[formulas.declared.drag]
function = "physics.drag:force"
unit = "N"
constants = { AIR = "kg/m^3" }
lower = 0
upper = 12000
cases = [{ inputs = { speed = 10, area = 0.5 }, expected = 14.4, tolerance = 0.05 }]
[formulas.declared.drag.arguments]
speed = { low = 0, high = 100, unit = "m/s", monotone = "increasing" }
area = { low = 0.01, high = 4, unit = "m^2" }
"""
EXPRESSION = "0.5 * AIR * coefficient * area * speed ** 2"
DRAG = f"""from physics.air import density

AIR = 1.225


def force(speed, area, coefficient=0.47):
    return {EXPRESSION}
"""
AIR = "def density(height):\n    return 1.225\n"


@pytest.fixture
def repo(make_repo: MakeRepo) -> Repo:
    return make_repo(
        {"whet.toml": POLICY, "src/physics/__init__.py": "", "src/physics/drag.py": DRAG, "src/physics/air.py": AIR}
    )


def check(repo: Repo, files: dict[str, str | None], *claimed: str, outsider: bool = False) -> CheckResult | None:
    project = open_project(repo.root)
    base = project.git.resolve("HEAD")
    contents = {path: None if text is None else text.encode() for path, text in files.items()}
    tree = project.git.with_files(project.git.tree_of(base), contents)
    targets = {"formulas": claimed} if claimed else {}
    claim = Claim(patch=project.git.patch(base, tree, "change"), targets=targets, by_outsider=outsider)
    return FormulaCheck(project.kit).check(claim)


def result_of(repo: Repo, expression: str, *claimed: str, outsider: bool = False) -> CheckResult:
    result = check(repo, {"src/physics/drag.py": DRAG.replace(EXPRESSION, expression)}, *claimed, outsider=outsider)
    assert result
    return result


def test_another_way_to_write_the_formula_passes(repo: Repo) -> None:
    result = result_of(repo, "AIR * coefficient * area / 2 * speed * speed")
    assert (result.verdict, result.reason) == (Verdict.PASSED, "drag: 5 cases and properties held")
    assert not result.shows_claim


@pytest.mark.parametrize(
    ("expression", "reasons"),
    [
        ("0.5 * AIR * coefficient * area * speed ** 2.01", [
            "case 1 (speed=10, area=0.5): 14.729 instead of 14.4 +- 0.05 (the base was right)",
            "the units: src/physics/drag.py, the result is",
            "upper bound 12000: speed=100.0, area=4.0 gives 12057.7, above the bound 12000",
        ]),
        (f"({EXPRESSION}) * (1 if speed < 50 else 0.5)", ["increasing in speed: ", "speed=", " gives "]),
        (f"({EXPRESSION}) if area > 0.02 else None", ["the result: ", "gives a NoneType, which is no number, and 0 on"]),
        (f"({EXPRESSION}) / (100 - speed) * (100 - speed)", ["raises ZeroDivisionError, and"]),
        (f"{EXPRESSION} + area", ["puts together kg*m*s^-2 and m^2"]),
    ],
)  # fmt: skip
def test_a_lost_case_or_property_fails_with_its_counterexample(repo: Repo, expression: str, reasons: list[str]) -> None:
    result = result_of(repo, expression)
    assert result.verdict is Verdict.FAILED, result.reason
    for reason in reasons:
        assert reason in result.reason
    assert result.regressed


def test_code_that_the_formula_needs_counts_and_tests_do_not(repo: Repo) -> None:
    repo.commit({"src/physics/drag.py": DRAG.replace("AIR = 1.225", "AIR = density(0)")})
    result = check(repo, {"src/physics/air.py": AIR.replace("1.225", "1.1")})
    assert result
    assert (result.verdict, "case 1" in result.reason) == (Verdict.FAILED, True)
    assert check(repo, {"tests/test_air.py": "def test():\n    pass\n"}) is None


def test_a_function_that_is_gone_or_broken_fails(repo: Repo) -> None:
    for text, words in (
        (DRAG.replace("def force", "def drag"), "does not define the function force; it defines drag"),
        (DRAG.replace("density", "missing"), "with the patch, it cannot be imported: ImportError"),
        (DRAG.replace("return", "return )"), "src/physics/drag.py is not valid Python"),
        (DRAG.replace("area", "surface"), "arguments: force has no argument 'area'"),
        (DRAG.replace("area,", "area, height,"), "case 1 gives no height"),
    ):
        result = check(repo, {"src/physics/drag.py": text})
        assert result
        assert (result.verdict, words in result.reason) == (Verdict.FAILED, True), result.reason
    gone = check(repo, {"src/physics/drag.py": None})
    assert gone
    assert "there is no module physics.drag" in gone.reason


def test_what_was_wrong_before_may_stay_and_may_not_get_worse(repo: Repo) -> None:
    repo.commit({"src/physics/drag.py": DRAG.replace("0.5 *", "0.6 *").replace("** 2", "** 3")})
    worse = check(repo, {"src/physics/drag.py": DRAG.replace("0.5 *", "0.7 *").replace("** 2", "** 3")})
    assert worse
    assert worse.verdict is Verdict.FAILED
    assert "instead of 14.4 +- 0.05 (the base was nearer: 172.725" in worse.reason
    nearer = check(repo, {"src/physics/drag.py": DRAG.replace("** 2", "** 3")})
    assert nearer
    assert nearer.verdict is Verdict.PASSED
    assert "wrong before and after: case 1 (speed=10, area=0.5)" in nearer.reason


def test_a_case_that_turns_right_is_named_and_shows_nothing_by_itself(repo: Repo) -> None:
    repo.commit({"src/physics/drag.py": DRAG.replace("** 2", "** 3")})
    result = result_of(repo, EXPRESSION, outsider=True)
    assert (result.verdict, result.shows_claim) == (Verdict.PASSED, False)
    assert result.also_mended == ("drag: case 1 (speed=10, area=0.5)", "drag: the units", "drag: upper bound 12000")
    hard_coded = result_of(repo, f"14.4 if (speed, area) == (10, 0.5) else {EXPRESSION} * speed", outsider=True)
    assert not hard_coded.shows_claim


def test_a_claimed_formula_must_be_right_as_a_whole(repo: Repo) -> None:
    assert result_of(repo, f"{EXPRESSION} * 1.0", "drag").verdict is Verdict.INCONCLUSIVE  # nothing was wrong
    repo.commit({"src/physics/drag.py": DRAG.replace("** 2", "")})
    right = result_of(repo, EXPRESSION, "drag")
    assert (right.verdict, right.saw_red) == (Verdict.PASSED, True)
    overfit = result_of(repo, "5.0 * AIR * coefficient * area * speed", "drag")
    assert (overfit.verdict, overfit.saw_red) == (Verdict.FAILED, False)
    assert "still wrong with the patch: drag: the units: " in overfit.reason
    unknown = result_of(repo, EXPRESSION, "lift")
    assert (unknown.verdict, "lift: it is not declared" in unknown.reason) == (Verdict.INCONCLUSIVE, True)


def test_a_formula_that_answers_at_random_or_cannot_be_followed_is_not_decided(repo: Repo) -> None:
    unit = result_of(repo, f"sum([{EXPRESSION}])")
    assert (unit.verdict, "the function `sum` is not followed" in unit.reason) == (Verdict.INCONCLUSIVE, True)
    repo.commit(
        {
            "src/physics/drag.py": DRAG.replace(
                "    return", "    import random\n    speed *= random.random()\n    return"
            )
        }
    )
    result = result_of(repo, f"{EXPRESSION} + 0")
    assert (result.verdict, "answers the same inputs differently" in result.reason) == (Verdict.INCONCLUSIVE, True)


def test_code_that_recognises_the_check_is_not_decided(repo: Repo) -> None:
    cheat = f"{EXPRESSION} if __import__('sys').argv[0] == 'app' else 0"
    repo.commit({"whet.toml": POLICY.replace('unit = "N"', "")})
    result = result_of(repo, cheat)
    assert result.verdict is Verdict.INCONCLUSIVE
    assert "drag: with the patch, the function answers the same inputs differently as another user" in result.reason


def test_the_formula_of_a_package_is_called_by_its_own_interpreter(repo: Repo) -> None:
    policy = POLICY.replace("physics.drag", "lift") + '[[project]]\nfolder = "libs/air"\n'
    repo.commit({"whet.toml": policy, "libs/air/src/lift.py": DRAG.replace("from physics.air import density\n", "")})
    broken = DRAG.replace("from physics.air import density\n", "").replace("** 2", "** 3")
    result = check(repo, {"libs/air/src/lift.py": broken})
    assert result
    assert (result.verdict, "case 1" in result.reason) == (Verdict.FAILED, True)


def test_a_module_that_cannot_be_used_is_skipped_by_the_search_for_findings(repo: Repo) -> None:
    for text, words in (
        (DRAG.replace("return", "return )"), "drag: src/physics/drag.py is not valid Python"),
        (DRAG.replace("density", "missing"), "drag: force in src/physics/drag.py cannot be imported: ImportError"),
    ):
        repo.commit({"src/physics/drag.py": text})
        source = Formulas(open_project(repo.root).kit)
        assert (source.observe(repo.head), source.skipped) == ((), (words,))
    unchanged = check(repo, {"src/physics/air.py": f"{AIR}# note\n"})
    assert unchanged
    assert (unchanged.verdict, "before and after, it cannot be imported" in unchanged.reason) == (
        Verdict.INCONCLUSIVE,
        True,
    )


def test_cases_come_from_the_base(repo: Repo) -> None:
    policy = '[formulas.declared.drag]\nfunction = "physics.drag:force"\ncases_file = "cases.csv"\n'
    repo.commit({"whet.toml": policy, "cases.csv": "speed,area,expected,tolerance\n10,0.5,14.4,0.05\n"})
    cheat = {"src/physics/drag.py": DRAG.replace("0.5", "0.6"), "cases.csv": "speed,area,expected\n0,0,0\n"}
    result = check(repo, {**cheat})
    assert result
    assert (result.verdict, "17.2725 instead of 14.4" in result.reason) == (Verdict.FAILED, True)


def test_a_formula_that_is_new_with_the_patch_must_be_right(repo: Repo) -> None:
    repo.commit({"whet.toml": POLICY.replace(":force", ":lift")})
    right = check(repo, {"src/physics/drag.py": DRAG.replace("def force", "def lift")})
    assert right
    assert right.verdict is Verdict.PASSED
    wrong = check(repo, {"src/physics/drag.py": DRAG.replace("def force", "def lift").replace("** 2", "** 3")})
    assert wrong
    assert (wrong.verdict, "(the function is new)" in wrong.reason) == (Verdict.FAILED, True)


@pytest.mark.parametrize(
    ("old", "new", "words", "remedy"),
    [
        (":force", ":forces", "drag.function: src/physics/drag.py does not define the function forces; it defines force", "module:function"),
        ("physics.drag", "physics.lift", "drag.function: there is no module physics.lift", "module:function"),
        ("area = {", "width = {", "drag.arguments: force has no argument 'width'", "force has the arguments speed, area, coefficient"),
        ("speed = 10,", "velocity = 10,", "drag.cases: case 1 gives 'velocity', which force does not take", "speed, area"),
        ("speed = 10,", "", "drag.cases: case 1 gives no speed", "speed, area"),
        ("area = {", "coefficient = {", "drag.arguments: area of force has no range and no default", "give it low and high"),
        ("cases = [", 'cases_file = "no.csv"\ncases = [', "drag.cases_file: no.csv is not in the commit", "commit it"),
    ],
)  # fmt: skip
def test_a_declaration_that_fits_no_function_is_refused(
    repo: Repo, old: str, new: str, words: str, remedy: str
) -> None:
    repo.commit({"whet.toml": POLICY.replace(old, new)})
    with pytest.raises(BadConfig) as refused:
        result_of(repo, f"{EXPRESSION} * 1")
    assert words in refused.value.message
    assert remedy in refused.value.remedy
