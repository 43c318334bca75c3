"""Records that tests write themselves, because no cycle would make them: hostile texts, many tests, long patches."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from whet.app.project import Project, open_project
from whet.app.setup.sample_repository import make_sample
from whet.domain.approval import Gate, Question, Tier
from whet.domain.build import Build
from whet.domain.category import Category
from whet.domain.clock import now
from whet.domain.diagnosis import Diagnosis
from whet.domain.evidence import Cost, Evidence, GuardFinding
from whet.domain.finding import Finding
from whet.domain.layer import Layer
from whet.domain.patch import Patch
from whet.domain.place import Place
from whet.domain.proposal import Proposal, ProposalKind, ValidationPlan
from whet.domain.risk import Risk
from whet.domain.signal import Signal
from whet.domain.suite import Outcome, SuiteReport
from whet.domain.verdict import CheckResult, SafeguardResult, Verdict
from whet.store.runs import StoredRuns

HOSTILE = (
    "<script>document.title='owned'</script>",
    '"><img src=x onerror="document.title=\'owned\'">',
    "'-document.title='owned'-'",
    "</title></style></textarea></pre><svg onload=document.title='owned'>",
    "javascript:document.title='owned'",
    "{{ 7 * 7 }}{% raw %}${7*7}",
    "<a href=javascript:alert(1)>x</a><!-- --><![CDATA[",
    "\x1b[31mred\x1b[0m\u202eevil\u200b\x00\x07",
    "<meta http-equiv=refresh content=0;url=//evil>",
    "&lt;b&gt;&#60;script&#62;&quot;",
)


def open_made(folder: Path) -> Project:
    """Return the project of a new sample repository, with its record and witness inside the folder."""
    root = folder / "calculator"
    root.mkdir(parents=True)
    make_sample(root, bugs=["factorial"])
    return open_project(root, local=True)


def proposal(project: Project, identity: str, text: str = "a title", path: str = "calculator.py") -> Proposal:
    signal = Signal(source="tests", subject=text, kind="failing_test", at=now(), payload={"message": text})
    finding = Finding(
        id="f-1", kind="failing_test", signature="5" * 16, title=text, category=Category.BUG_FIX, subjects=(text,),
        paths=(path,), signals=(signal,), score=0.9, reasons=(text,), minimum_signals=1,
    )  # fmt: skip
    place = Place(path=path, line=3, function=text, suspicion=0.8, why=text)
    return Proposal(
        id=identity, engine="repair", kind=ProposalKind.BEHAVIOR_FIX, category=Category.BUG_FIX, target=(path,), title=text,
        rationale=text, risk=Risk.MEDIUM, expected_gain=0.5, plan=ValidationPlan(targets={"tests": (text,)}),
        diagnosis=Diagnosis(finding=finding, layer=Layer.BEHAVIOR, places=(place,), evidence=(text,), confidence=0.5),
        base=project.git.resolve("main"), created_at=now(), reasons=(text,),
    )  # fmt: skip


def check(text: str, **fields: object) -> CheckResult:
    base = CheckResult(
        check="tests", verdict=Verdict.PASSED, reason=text, red=(text,), green=(text,), reverted=(text,), held=3,
        flaky=(f"flaky {text}",), safeguards=(SafeguardResult("planted tests", Verdict.PASSED, text, (text,)),),
    )  # fmt: skip
    return replace(base, **fields)  # type: ignore[arg-type]


def diff_of(path: str, lines: list[str]) -> str:
    body = "".join(f"+{line}\n" for line in lines)
    return f"diff --git a/{path} b/{path}\n--- a/{path}\n+++ b/{path}\n@@ -1,1 +1,{len(lines)} @@\n{body}"


def evidence(made: Proposal, result: CheckResult, guard: tuple[GuardFinding, ...] = ()) -> Evidence:
    return Evidence(
        proposal=made.id, signature=made.signature, base=made.base, tree="1" * 40, patch_digest="2" * 64,
        policy_digest="3" * 64, verdict=result.verdict, reasons=(result.reason,), checks=(result,), guard=guard,
        containment=None, cost=Cost(seconds=1.5, suite_runs=3), made_at=now(),
    )  # fmt: skip


def store_run(project: Project, tests: Iterable[str]) -> None:
    """Store a run of the base in which these tests passed, as a cycle does."""
    tree = project.git.tree_of("main")
    outcomes = dict.fromkeys(tests, Outcome.PASSED)
    StoredRuns(project.store)["key"] = SuiteReport(tree=tree, outcomes=outcomes, seconds=1.0, complete=True)


def record(project: Project, made: Proposal, diff: str, proof: Evidence, tier: Tier = Tier.CONFIRM) -> Question:
    """Record a proposal that waits at the apply gate."""
    ledger, name = project.ledger, made.id
    patch = Patch(
        base=made.base, tree="1" * 40, diff=diff, digest="2" * 64, changes=(), summary=made.title
    )  # fmt: skip
    asked = Question(
        proposal=name, gate=Gate.APPLY, tier=tier, reasons=(made.title,), digest=proof.digest, asked_at=now(),
        expires_at=now() + timedelta(days=2, hours=-1), repository=project.git.first_commit(), base=made.base, policy="",
        verdict=proof.verdict.value, nonce="4" * 32,
    )  # fmt: skip
    ledger.append("propose", made, subject=name, key=f"{name}/proposal")
    ledger.append(
        "propose", Build(patch=patch, note=made.title, tried=4, seconds=1.0), subject=name, key=f"{name}/build"
    )
    ledger.append("validate", proof, subject=name, key=f"{name}/evidence")
    ledger.append("approve", asked, subject=name, key=f"{name}/ask")
    return asked
