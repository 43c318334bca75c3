"""The files that run whet in CI: their steps run here as a runner would run them."""

import json
import os
import re
import subprocess
from pathlib import Path
from xml.etree.ElementTree import parse

import pytest
import yaml

from tests.cli.formats.published_schemas import gitlab_problems, sarif_problems
from tests.docs.repositories import git, pull_request

ROOT = Path(__file__).parents[2]
WHET = ROOT / ".venv" / "bin"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout as a runner has it, of a branch that fixes a failing test."""
    folder = tmp_path / "checkout"
    pull_request(folder)
    return folder


def run(script: str, folder: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    path = f"{WHET}{os.pathsep}{os.environ['PATH']}"
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
    return subprocess.run(
        command,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=240,
        env={**os.environ, "PATH": path, **environment},
    )


def _input_name(expression: str) -> str:
    match = re.fullmatch(r"\$\{\{ inputs\.(\S+) \}\}", expression)
    assert match, expression
    return match[1]


def run_action(folder: Path, scratch: Path, **inputs: str) -> tuple[int, str, dict[str, str]]:
    """Run the steps of action.yml in the checkout. Return the exit code, the output and the outputs of the last step."""
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    values = {name: str(entry["default"]) for name, entry in action["inputs"].items()} | inputs
    files = {name: scratch / name for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    runner = {"RUNNER_TEMP": str(scratch), **{name: str(path) for name, path in files.items()}}
    printed = ""
    for step in action["runs"]["steps"]:
        if step.get("if") == "inputs.install == 'true'" and values["install"] != "true":
            continue
        assert "${{" not in step["run"], "an expression in a script can be an injection"
        given = {name: values[_input_name(text)] for name, text in step.get("env", {}).items()}
        ended = run(step["run"], folder, {**runner, **given})
        printed += ended.stdout + ended.stderr
        if ended.returncode:
            break
    output = files["GITHUB_OUTPUT"]
    lines = output.read_text().splitlines() if output.exists() else []
    return ended.returncode, printed, dict(line.split("=", 1) for line in lines)


@pytest.mark.slow
def test_the_action_proves_a_pull_request_and_reports_it(checkout: Path, tmp_path: Path) -> None:
    code, printed, outputs = run_action(checkout, tmp_path, base="main", install="false")
    assert (code, outputs["verdict"]) == (0, "passed"), printed
    assert "::notice title=whet%3A passed::Proved: 1 test was red without the patch" in printed
    assert (tmp_path / "GITHUB_STEP_SUMMARY").read_text().startswith("### whet: ✅ passed")
    sarif = Path(outputs["sarif"]).read_text()
    assert json.loads(sarif)["runs"][0]["properties"]["verdict"] == "passed"
    assert sarif_problems(sarif) == []


@pytest.mark.slow
def test_the_action_fails_a_change_that_nothing_asked_for_unless_told_to_accept_it(
    checkout: Path, tmp_path: Path
) -> None:
    git(checkout, "checkout", "--quiet", "--detach", "origin/main")
    (checkout / "notes.md").write_text("A note.\n")
    git(checkout, "add", "notes.md")
    git(checkout, "-c", "user.name=Ann", "-c", "user.email=ann@example.org", "commit", "--quiet", "-m", "Add a note")
    code, printed, outputs = run_action(checkout, tmp_path, base="main", install="false")
    assert (code, outputs["verdict"]) == (7, "inconclusive"), printed
    assert "::warning title=whet%3A verdict::nothing that was red turned green" in printed
    accepted = {"base": "main", "install": "false", "accept-inconclusive": "true"}
    assert run_action(checkout, tmp_path, **accepted)[0] == 0


def test_the_action_says_so_when_the_base_is_unknown(checkout: Path, tmp_path: Path) -> None:
    code, printed, outputs = run_action(checkout, tmp_path, base="no-such-branch", install="false")
    assert code != 0
    assert outputs == {}
    assert "no-such-branch" in printed


@pytest.mark.slow
def test_the_gitlab_job_writes_the_reports_that_it_declares(checkout: Path) -> None:
    job = yaml.safe_load((ROOT / "templates" / "gitlab-ci.yml").read_text())["whet-prove"]
    base = subprocess.check_output(["git", "rev-parse", "origin/main"], cwd=checkout, text=True).strip()
    (script,) = job["script"]
    ended = run(script, checkout, {"CI_MERGE_REQUEST_DIFF_BASE_SHA": base, "WHET_OPTIONS": ""})
    assert ended.returncode == 0, ended.stderr
    reports = job["artifacts"]["reports"]
    quality = (checkout / reports["codequality"]).read_text()
    assert {entry["severity"] for entry in json.loads(quality)} <= {"info"}
    assert gitlab_problems(quality) == []
    assert parse(checkout / reports["junit"]).getroot().get("failures") == "0"
    assert (checkout / job["cache"]["paths"][0]).is_file()
    assert (checkout / job["artifacts"]["paths"][0]).is_file()


def test_the_push_hook_refuses_a_push_without_a_base(checkout: Path) -> None:
    """`test_hooks.py` runs both hooks with the real pre-commit."""
    hooks = {hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())}
    refused = run(hooks["whet-prove"]["entry"], checkout, {})
    assert refused.returncode != 0
    assert "push to an existing branch, or name a base" in refused.stderr
    with_arguments = run(f"{hooks['whet-prove']['entry']} --no-such-option", checkout, {"PRE_COMMIT_FROM_REF": "HEAD"})
    assert "No such option: --no-such-option" in with_arguments.stderr
