"""A declared benchmark is measured with and without the patch, in the sandbox."""

import pytest

from tests.support import MakeRepo, Repo
from whet.app.project import open_project
from whet.domain.verdict import CheckResult, Verdict
from whet.phases.validate import Claim
from whet.phases.validate.benchmark_check import BenchmarkCheck

POLICY = """[benchmarks]
most_pairs = 9
[benchmarks.declared.steps]
command = ["python", "bench_steps.py", "{seed}"]
"""
BENCH = "import sys\nfrom shop import steps\nprint('counting')\nprint(steps(int(sys.argv[1]) % 7 + 100))\n"


def steps(body: str) -> str:
    return f"def steps(n):\n    return {body}\n"


@pytest.fixture
def repo(make_repo: MakeRepo) -> Repo:
    return make_repo({"whet.toml": POLICY, "shop.py": steps("n * 2"), "bench_steps.py": BENCH})


def check(repo: Repo, files: dict[str, str], *claimed: str) -> CheckResult:
    project = open_project(repo.root)
    base = project.git.resolve("HEAD")
    tree = project.git.with_files(project.git.tree_of(base), {path: text.encode() for path, text in files.items()})
    claim = Claim(patch=project.git.patch(base, tree, "change"), targets={"benchmarks": claimed} if claimed else {})
    result = BenchmarkCheck(project.kit).check(claim)
    assert result
    return result


def test_a_patch_that_makes_a_benchmark_worse_fails(repo: Repo) -> None:
    result = check(repo, {"shop.py": steps("n * 3")})
    assert result.verdict is Verdict.FAILED
    assert result.regressed == ("steps",)
    assert "+50.0%" in result.reason


def test_a_claimed_gain_is_shown_and_counts_as_red_and_green(repo: Repo) -> None:
    result = check(repo, {"shop.py": steps("n")}, "steps")
    assert result.verdict is Verdict.PASSED, result.reason
    assert result.saw_red


def test_a_patch_cannot_change_the_benchmark_itself(repo: Repo) -> None:
    result = check(repo, {"bench_steps.py": "print(1)\n"}, "steps")
    assert result.verdict is Verdict.INCONCLUSIVE
    assert "claimed to be better and not shown to be" in result.reason
    assert not result.saw_red


def test_noise_and_broken_benchmarks_are_inconclusive(repo: Repo) -> None:
    result = check(repo, {"shop.py": steps("n * (1, 4)[n % 2]")}, "steps")
    assert result.verdict is Verdict.INCONCLUSIVE
    assert "not decided" in result.reason
    broken = check(repo, {"shop.py": "def steps(n):\n    return ''\n"})
    assert broken.verdict is Verdict.INCONCLUSIVE
    assert "printed no line with only a number" in broken.reason


def test_a_project_without_benchmarks_has_nothing_to_check(make_repo: MakeRepo) -> None:
    project = open_project(make_repo({"whet.toml": "", "a.py": ""}).root)
    base = project.git.resolve("HEAD")
    patch = project.git.patch(base, project.git.tree_of(base), "nothing")
    assert BenchmarkCheck(project.kit).check(Claim(patch=patch, targets={})) is None
