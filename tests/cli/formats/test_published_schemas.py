"""Every report of `whet prove` fits the schema that the programs which read it publish."""

import json
import subprocess
import venv
from pathlib import Path

import pytest

from tests.cli.formats.published_schemas import FOLDER, gitlab_problems, sarif_problems
from tests.cli.formats.test_formats import CHEAT, EVIL, NOTED, UNUSED, proof
from whet.app.proofs.prove import ProvedChange
from whet.cli.formats import render
from whet.domain.evidence import GuardFinding
from whet.domain.verdict import SafeguardResult, Verdict

TWICE = SafeguardResult(
    "mutants",
    Verdict.PASSED,
    "fine",
    tuple(f"stats.py, line {line}: no test notices `<` replaced by `<=`" for line in (7, 9)),
)
GUARD = (
    GuardFinding(rule="path_protected", severity="block", path="a b/ä#.py", reason="a b/ä#.py is protected"),
    GuardFinding(rule="needs_review", severity="raise", path="pkg/stats.py", reason="it calls eval (line 3)"),
)
PROOFS = {
    "passed": proof(Verdict.PASSED),
    "passed with notes": proof(Verdict.PASSED, NOTED, TWICE, UNUSED, guard=GUARD[1:]),
    "failed": proof(Verdict.FAILED, regressed=("t.py::test_b",), missing=("t.py::test_c",), guard=GUARD),
    "inconclusive": proof(Verdict.INCONCLUSIVE, CHEAT, TWICE, UNUSED, guard=GUARD),
    "foreign text": proof(Verdict.FAILED, SafeguardResult("mutants", Verdict.FAILED, EVIL), regressed=(f"[{EVIL}]",)),
}
every_proof = pytest.mark.parametrize("judged", PROOFS.values(), ids=PROOFS)


@every_proof
def test_sarif_fits_its_schema(judged: ProvedChange) -> None:
    assert sarif_problems(render("sarif", judged)) == []


@every_proof
def test_the_code_quality_report_has_the_fields_that_gitlab_documents(judged: ProvedChange) -> None:
    assert gitlab_problems(render("gitlab", judged)) == []


def test_the_schemas_refuse_a_wrong_file() -> None:
    sarif = json.loads(render("sarif", PROOFS["inconclusive"]))
    sarif["runs"][0]["results"][0]["level"] = "critical"
    assert ["$.runs[0].results[0].level" in problem for problem in sarif_problems(json.dumps(sarif))] == [True]
    sarif["runs"][0]["results"][1]["locations"][0]["physicalLocation"]["region"] = {"startLine": 0}
    assert len(sarif_problems(json.dumps(sarif))) == 2
    report = json.loads(render("gitlab", PROOFS["inconclusive"]))
    report[0] |= {"severity": "error", "location": {"path": "./stats.py"}, "fingerprint": report[1]["fingerprint"]}
    assert len(gitlab_problems(json.dumps(report))) == 4


@pytest.mark.needs_index
@pytest.mark.timeout(900)
def test_junit_fits_the_schema_of_jenkins(tmp_path: Path) -> None:
    venv.EnvBuilder(with_pip=True).create(tmp_path / "env")
    python = tmp_path / "env" / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", "xmlschema"], check=True)
    texts = {f"{name}.xml": render("junit", judged) for name, judged in PROOFS.items()}
    texts["wrong.xml"] = texts["failed.xml"].replace("<failure", "<error-of-whet", 1).replace(" errors=", " oops=")
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    judge = "import sys, xmlschema; s = xmlschema.XMLSchema(sys.argv[1]); print([n for n in sys.argv[2:] if not s.is_valid(n)])"
    command: list[str | Path] = [python, "-c", judge, FOLDER / "junit-10.xsd", *texts]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout == "['wrong.xml']\n"
