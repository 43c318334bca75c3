"""JUnit files of CI runs and SARIF files of analysers become findings; whatever is left out is said."""

import json
import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.support import MakeRepo, Repo
from whet.app.project import Project, open_project
from whet.domain.finding import Finding
from whet.domain.payload import FailingTest
from whet.domain.signal import Signal
from whet.domain.suite import Failure
from whet.phases.diagnose.step import find
from whet.phases.observe.step import observe, skipped

CART = "import os\nimport sys\nimport json\n\n\ndef total(prices):\n    return sum(prices) / len(prices)\n"
MORE = """import os
from cart import total

def test_passes(): pass
def test_empty(): assert total([]) == 0
def test_flaky(): assert os.environ["RUN"] in "02"
def test_mended(): assert os.environ["RUN"] > "2"
"""
POLICY = (
    '[target]\nbranch = "main"\n[observe]\nsources = ["junit", "sarif"]\n'
    '[sources]\njunit = ["reports/*.xml"]\nsarif = ["reports/*.sarif"]\n'
)


@pytest.fixture
def repo(make_repo: MakeRepo) -> Repo:
    repo = make_repo({"cart.py": CART, "tests/test_more.py": MORE, "whet.toml": POLICY, ".gitignore": "reports/\n"})
    (repo.root / "reports").mkdir()
    return repo


def look(repo: Repo) -> tuple[list[Finding], tuple[str, ...], Project]:
    project = open_project(repo.root)
    base = project.git.resolve("HEAD")
    signals = observe(base, project.engines.sources, project.progress)
    return list(find(signals, project.engines.analyzers, base)), skipped(project.engines.sources), project


def ci_run(repo: Repo, number: int, report: str) -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml=reports/{report}", "tests"]
    environment = {**os.environ, "RUN": str(number), "PYTHONPATH": ".", "PYTHONDONTWRITEBYTECODE": "1"}
    subprocess.run(command, cwd=repo.root, env=environment, check=False, capture_output=True, timeout=120)


def suite(cases: str, at: datetime | None = None) -> str:
    stamp = f' timestamp="{at.isoformat()}"' if at else ""
    return f'<testsuites><testsuite name="s"{stamp}>{cases}</testsuite></testsuites>'


RED_LINES = (
    '<testcase classname="tests.test_more" name="{name}">'
    '<failure message="KeyError: {name}&#10;of {{}}">x</failure></testcase>'
)
RED = '<testcase classname="a" name="t"><failure message="KeyError: 1">x</failure></testcase>'


def test_real_ci_runs_show_failing_and_flaky_tests_and_no_mended_ones(repo: Repo) -> None:
    for number in range(4):
        ci_run(repo, number, "junit.xml")  # each run overwrites the file of the one before
        findings, _, project = look(repo)
    by_test = {finding.subjects[0].partition("::")[2]: finding for finding in findings}
    assert set(by_test) == {"test_empty"}
    failing = by_test["test_empty"]
    assert failing.title == "tests.test_more::test_empty fails in CI: ZeroDivisionError: division by zero"
    assert failing.reasons[:2] == ("4 of 4 CI runs failed", "at cart.py:7")
    [place] = project.engines.analyzers["ci_tests"].places(failing, "HEAD")
    assert (place.path, place.line) == ("cart.py", 7)
    for number in (1, 2, 3):
        ci_run(repo, number, f"more{number}.xml")
    names = {finding.subjects[0].partition("::")[2]: finding.title for finding in look(repo)[0]}
    assert "is flaky in CI" in names["test_flaky"]


def test_a_test_that_is_red_here_too_is_one_finding_that_names_its_ci_runs(repo: Repo) -> None:
    for number in range(3):
        at = datetime.now(UTC) - timedelta(minutes=number)
        cases = "".join(RED_LINES.format(name=name) for name in ("test_empty", "test_elsewhere"))
        (repo.root / f"reports/{number}.xml").write_text(suite(cases, at))
    project = open_project(repo.root)
    payload = FailingTest(outcome="failed", failure=Failure(exception="KeyError", message="1", frames=(), text=""))
    here = Signal.of("tests", "tests/test_more.py::test_empty", payload, datetime.now(UTC))
    signals = (*observe(project.git.resolve("HEAD"), project.engines.sources, project.progress), here)
    findings = {finding.kind: finding for finding in find(signals, project.engines.analyzers, "HEAD")}
    assert len(findings) == 2
    assert findings["failing_test"].reasons[-1] == "3 of 3 CI runs failed"
    assert findings["ci_test"].title == "tests.test_more::test_elsewhere fails in CI: KeyError: test_elsewhere"


def test_the_same_run_in_two_files_counts_once(repo: Repo) -> None:
    now = datetime.now(UTC)
    for number in range(4):
        (repo.root / f"reports/{number}.xml").write_text(suite(RED, now))
    assert look(repo)[0] == []
    for number in range(2):
        (repo.root / f"reports/later{number}.xml").write_text(suite(RED, now + timedelta(seconds=number + 1)))
    [finding] = look(repo)[0]
    assert finding.reasons[0] == "3 of 3 CI runs failed"


def test_runs_outside_the_window_do_not_count(repo: Repo) -> None:
    now = datetime.now(UTC)
    for number, age in enumerate((25, 26, 27, 24 * 9)):
        (repo.root / f"reports/{number}.xml").write_text(suite(RED, now - timedelta(hours=age)))
    findings, sentences, _ = look(repo)
    assert findings == []
    assert sentences == ("junit: reports/3.xml: 1 event skipped: older than 7 days",)
    repo.write({"whet.toml": POLICY.replace("[sources]", "[sources]\nwindow_hours = 48")})
    assert len(look(repo)[0]) == 1


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ('<!DOCTYPE a [<!ENTITY b "c">]><testsuite>&b;</testsuite>', "document type"),
        ('<!DOCTYPE a SYSTEM "file:///etc/passwd"><testsuite/>', "document type"),
        ("<testsuite>", "not well-formed"),
        ("<html/>", "not JUnit XML"),
        ("\0\0\0", "not well-formed"),
        ('<?xml version="1.0" encoding="no-such"?><testsuite/>', "not well-formed"),
    ],
)
def test_a_report_that_cannot_be_trusted_is_named(repo: Repo, content: str, why: str) -> None:
    (repo.root / "reports/bad.xml").write_text(content)
    findings, [sentence], _ = look(repo)
    assert findings == []
    assert sentence.startswith("junit: reports/bad.xml: 1 file skipped")
    assert why in sentence


def test_secrets_in_reports_do_not_reach_the_store(repo: Repo) -> None:
    token = "ghp_" + "a1B2" * 9
    for number in range(3):
        red = RED.replace("KeyError: 1", f"KeyError: {token}")
        (repo.root / f"reports/{number}.xml").write_text(suite(red, datetime.now(UTC) - timedelta(minutes=number)))
    [finding] = look(repo)[0]
    assert "KeyError" in finding.title
    assert token not in finding.title
    assert token.encode() not in b"".join(path.read_bytes() for path in (repo.root / ".whet").glob("events*"))


def test_real_sarif_of_ruff_is_read_and_forgotten_when_the_file_goes(repo: Repo) -> None:
    report = repo.root / "reports/ruff.sarif"
    ruff = Path(sys.executable).parent / "ruff"
    command = [str(ruff), "check", "--isolated", "--select", "F,INP", "--output-format", "sarif", "cart.py"]
    report.write_bytes(subprocess.run(command, cwd=repo.root, capture_output=True, check=False).stdout)
    findings, sentences, project = look(repo)
    assert sentences == ()
    by_rule = {finding.subjects[0]: finding for finding in findings}
    assert by_rule["F401"].title == "ruff F401: `os` imported but unused"
    assert len(by_rule["F401"].signals) == 3
    assert by_rule["F401"].reasons[1] == "first at cart.py:1"
    places = project.engines.analyzers["analyser_results"].places(by_rule["F401"], "HEAD")
    assert [(place.path, place.line) for place in places] == [("cart.py", 1), ("cart.py", 2), ("cart.py", 3)]
    report.unlink()
    assert look(repo)[0] == []


def result(rule: str, level: str = "warning", uri: str = "cart.py", **more: object) -> dict[str, object]:
    place = {"physicalLocation": {"artifactLocation": {"uri": uri}, "region": {"startLine": 7}}}
    return {"ruleId": rule, "level": level, "message": {"text": "bad"}, "locations": [place], **more}


def sarif(*results: object) -> str:
    return json.dumps({"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "x"}}, "results": list(results)}]})


def test_one_error_is_a_finding_and_two_warnings_are_not(repo: Repo) -> None:
    text = sarif(result("A", "error"), result("B"), result("B"), result("C"), result("C"), result("C"))
    (repo.root / "reports/a.sarif").write_text(text)
    assert sorted(finding.subjects[0] for finding in look(repo)[0]) == ["A", "C"]


def test_results_that_are_suppressed_or_elsewhere_are_counted(repo: Repo) -> None:
    other = result("A", "error", uri="file:///usr/lib/python3/dist-packages/cart.py")
    hidden = result("A", "error", suppressions=[{"kind": "inSource"}])
    (repo.root / "reports/a.sarif").write_text(sarif(other, hidden))
    findings, sentences, _ = look(repo)
    assert findings == []
    assert set(sentences) == {
        "sarif: reports/a.sarif: 1 result skipped: its file is not in the repository",
        "sarif: reports/a.sarif: 1 result skipped: suppressed in the report",
    }


@pytest.mark.parametrize(
    "content",
    ["[" * 100_000, "nothing", '{"version": "2.1.0"}', '{"runs": [], "version": "1.0"}', "[]", '{"version":"2.1.0","runs":[1,{"results":[1,{"ruleIndex":"x","locations":[3],"message":4}]}]}'],
)  # fmt: skip
def test_broken_sarif_gives_no_finding_and_no_error(repo: Repo, content: str) -> None:
    (repo.root / "reports/a.sarif").write_text(content)
    findings, sentences, _ = look(repo)
    assert findings == []
    assert len(sentences) == 1


def test_scan_lists_what_ci_reports_although_no_engine_can_act_on_it(repo: Repo) -> None:
    for number in range(3):
        at = datetime.now(UTC) - timedelta(minutes=number)
        (repo.root / f"reports/{number}.xml").write_text(suite(RED, at))
    (repo.root / "reports/bad.sarif").write_text("[]")
    result = repo.whet("scan")
    assert result.code == 0, result.err
    assert "a::t fails in CI" in result.out
    assert "sarif: reports/bad.sarif: 1 file skipped: it is not SARIF 2.1" in " ".join(result.out.split())
