"""A declared formula that is wrong is found, repaired and proved; a patch that spoils one is stopped."""

import subprocess

import pytest

from tests.models.scripted_server import scripted
from tests.support import MakeRepo, Repo

POLICY = """[tests]
folders = ["tests"]
[formulas.declared.drag]
function = "physics.drag:force"
cases_file = "cases/drag.csv"
lower = 0
unit = "N"
constants = { AIR = "kg/m^3" }

[formulas.declared.drag.arguments]
speed = { low = 0, high = 100, unit = "m/s", monotone = "increasing" }
area = { low = 0, high = 4, unit = "m^2", monotone = "increasing" }
"""
RIGHT = '''"""Forces on a body in air."""

AIR = 1.225  # kg/m^3


def force(speed, area, coefficient=0.47):
    """Return the drag of a body."""
    return 0.5 * AIR * coefficient * area * speed ** 2
'''
WRONG = RIGHT.replace("speed ** 2", "speed ** 3")
SPOILED = RIGHT.replace("speed ** 2", "speed * abs(speed - 50) / 4")
FILES = {
    "whet.toml": POLICY,
    "cases/drag.csv": "speed,area,expected,tolerance\n10,0.5,14.4,0.05\n30,2,518.2,0.2\n",
    "physics/__init__.py": "",
    "physics/drag.py": RIGHT,
    "tests/test_drag.py": "from physics.drag import force\n\n\ndef test_no_speed_no_force():\n    assert force(0, 1) == 0\n",
}
FIX = f"""The drag grows with the square of the speed.

physics/drag.py
```python
<<<<<<< SEARCH
    {WRONG.splitlines()[-1].strip()}
=======
    {RIGHT.splitlines()[-1].strip()}
>>>>>>> REPLACE
```
"""


@pytest.fixture
def repo(make_repo: MakeRepo) -> Repo:
    return make_repo({**FILES})


def test_a_wrong_formula_is_a_finding(repo: Repo) -> None:
    repo.commit({"physics/drag.py": WRONG})
    [row] = repo.whet("scan", "--json").json["findings"]
    finding = row["finding"]
    assert (finding["kind"], finding["paths"]) == ("broken_formula", ["physics/drag.py"])
    assert "case 1 (speed=10, area=0.5): 143.938 instead of 14.4 +- 0.05" in finding["title"]
    assert any(reason.startswith("the units: physics/drag.py") for reason in finding["reasons"])


@pytest.mark.long
def test_the_repair_of_a_wrong_formula_is_proved_as_a_formula_change(repo: Repo) -> None:
    repo.commit({"physics/drag.py": WRONG})
    ran = repo.whet("run", "--json")
    assert ran.code == 5, ran
    [proposal] = repo.whet("list", "--json").json
    shown = repo.whet("show", proposal["proposal"], "--all").out
    assert (proposal["engine"], proposal["verdict"]) == ("repair", "passed"), shown
    assert "formula_change" in shown
    assert "kind_does_not_fit" not in shown
    assert "formulas: drag: 3 cases and properties held; turned right: case 1 (speed=10, area=0.5)" in shown
    diff = repo.whet("diff", proposal["proposal"]).out
    assert "+    return 0.5 * AIR * coefficient * area * speed ** 2" in diff
    assert "+    assert force(speed=10, area=0.5) == pytest.approx(14.4, abs=0.05)" in diff


def test_a_right_formula_is_no_finding(repo: Repo) -> None:
    assert repo.whet("scan", "--json").json["findings"] == []


@pytest.mark.long
def test_a_model_gets_the_same_task(repo: Repo) -> None:
    with scripted(FIX) as model:
        author = (
            f'[models.author]\nname = "openai:x"\nbase_url = "{model.url}"\nprice_input = "0"\nprice_output = "0"\n'
        )
        repo.commit({"physics/drag.py": WRONG, "whet.toml": f'{POLICY}[propose]\nengines = ["model"]\n{author}'})
        ran = repo.whet("run", "--json")
        assert ran.code == 5, ran
        [proposal] = repo.whet("list", "--json").json
        assert (proposal["engine"], proposal["verdict"]) == ("model", "passed")
        assert "143.938 instead of 14.4" in str(model.requests)


@pytest.mark.long
def test_a_patch_of_anybody_that_spoils_a_property_fails(repo: Repo) -> None:
    repo.write({"physics/drag.py": SPOILED})
    repo.sh("sh", "-c", "git diff > .git/spoiled.patch && git checkout physics/drag.py")
    proved = repo.whet("prove", "--patch", ".git/spoiled.patch", "--json").json["evidence"]
    assert proved["verdict"] == "failed"
    [formulas] = [check for check in proved["checks"] if check["check"] == "formulas"]
    assert "increasing in speed: " in formulas["reason"]
    assert "drag: increasing in speed" in formulas["regressed"]


@pytest.mark.long
@pytest.mark.full_proof
def test_a_model_that_answers_the_cases_one_by_one_is_not_believed(repo: Repo) -> None:
    cheat = "{10: 14.4, 30: 518.2}.get(speed, 0.5 * AIR * coefficient * area * speed ** 3)"
    with scripted(FIX.replace(RIGHT.splitlines()[-1].strip().removeprefix("return "), cheat)) as model:
        author = (
            f'[models.author]\nname = "openai:x"\nbase_url = "{model.url}"\nprice_input = "0"\nprice_output = "0"\n'
        )
        bare = POLICY.partition("lower")[0]  # the cases alone: neither directions nor units speak against it
        repo.commit({"physics/drag.py": WRONG, "whet.toml": f'{bare}[propose]\nengines = ["model"]\n{author}'})
        repo.whet("run", "--json")
        [proposal] = repo.whet("list", "--json").json
        shown = repo.whet("show", proposal["proposal"], "--all").out
        assert proposal["verdict"] != "passed", shown
        assert cheat in repo.whet("diff", proposal["proposal"]).out


def test_doctor_says_what_holds_of_a_formula(repo: Repo) -> None:
    assert "6 of 6 cases and properties hold" in repo.whet("doctor", "--quick").out
    repo.commit({"physics/drag.py": WRONG.replace("return 0.5", "return sum([0.5])")})
    doctor = repo.whet("doctor", "--quick").out
    assert "3 of 6 cases and properties hold; wrong: case 1 (speed=10, area=0.5): 143.938 instead of" in doctor
    assert "not known: the units: physics/drag.py, line 8: the function `sum` is not followed" in doctor


def test_a_declaration_that_fits_nothing_stops_the_scan_with_a_remedy(repo: Repo) -> None:
    repo.commit({"whet.toml": POLICY.replace(":force", ":forces")})
    assert "does not define the function forces; it defines force" in repo.whet("doctor", "--quick").out
    scan = repo.whet("scan")
    assert scan.code == 2
    assert "does not define the function forces; it defines force" in scan.err
    repo.commit({"whet.toml": POLICY.replace('unit = "N"', 'unit = "N m"')})
    scan = repo.whet("scan")
    assert scan.code == 2
    assert "'N m' is not a unit: write products with *" in scan.err
    repo.commit({"whet.toml": POLICY.replace("lower = 0", "lower = 5\nupper = 1")})
    assert "lower (5) is above upper (1)" in repo.whet("scan").err


@pytest.mark.long
def test_the_test_that_comes_with_the_repair_runs_without_whet(repo: Repo) -> None:
    repo.commit({"physics/drag.py": WRONG})
    repo.whet("run", "--json")
    [proposal] = repo.whet("list", "--json").json
    diff = repo.whet("diff", proposal["proposal"]).out
    subprocess.run(["git", "apply", "-"], cwd=repo.root, input=diff, text=True, check=True)
    assert "passed" in repo.sh("python", "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests")
