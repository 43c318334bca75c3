"""The Python API: `whet.open(path)`."""

import subprocess
import sys

import whet
from tests.support import Repo
from whet.domain.verdict import Verdict


def test_a_repository_is_scanned_repaired_approved_and_rolled_back(sample: Repo) -> None:
    repository = whet.open(sample.root)
    finding = repository.scan().findings[0].finding
    [waiting] = repository.run(finding=finding.id)
    assert waiting.open_question is not None
    assert waiting.evidence is not None
    assert waiting.evidence.verdict is Verdict.PASSED
    merged = repository.approve(waiting.proposal.id, why="read it")
    assert merged.status == "merged"
    assert [view.status for view in repository.proposals()] == ["merged"]
    repository.rollback(merged.proposal.id, why="only a test")
    assert repository.proposal(merged.proposal.id).status == "rolled_back"
    assert repository.audit().ok


def test_a_patch_file_is_proved(sample: Repo) -> None:
    repository = whet.open(sample.root / "tests")
    fixed = repository.repair(["tests/test_calculator.py::test_factorial"])
    assert fixed.patch is not None
    (sample.root / "fix.patch").write_text(fixed.patch.diff)
    assert repository.prove(patch=sample.root / "fix.patch").evidence.verdict is Verdict.PASSED


def test_importing_whet_loads_nothing_of_it() -> None:
    code = "import sys, whet; print(sorted(name for name in sys.modules if name.startswith('whet.')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
