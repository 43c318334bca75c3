"""`whet demo`: every stage of the loop on a small buggy repository, with the commands that a person would type."""

import tempfile
from contextlib import ExitStack
from pathlib import Path

from rich.rule import Rule

from whet.app.approvals.decisions import GivenAnswer, answer, statement
from whet.app.audits.audit import audit
from whet.app.cycles.loop import running
from whet.app.deployments.rollback import rollback
from whet.app.findings.scan import scan
from whet.app.project import Project, open_project
from whet.app.setup.sample_repository import make_sample
from whet.app.views.proposal_view import view_proposal
from whet.cli.output import emit
from whet.cli.progress import Terminal
from whet.cli.views import screen
from whet.cli.views.proposal import proposal_details
from whet.cli.views.scan import scan_table
from whet.demo.approver import NAME, DemoApprover
from whet.demo.pages_demo import serve_pages
from whet.demo.tools_demo import run_tools_demo
from whet.domain.approval import Answer
from whet.errors import Refused


def run_demo(keep: Path | None, *, as_json: bool, web: bool = False) -> int:
    with ExitStack() as stack:
        folder = _folder(keep, stack)
        for name in ("tests", "tools"):
            (folder / name).mkdir()
        approver = DemoApprover(folder)
        approver.enrol(make_sample(folder / "tests"))
        code = _demo(folder, approver, as_json=as_json)
        if web and not code:
            serve_pages(folder)
        return code


def _folder(keep: Path | None, stack: ExitStack) -> Path:
    if keep is None:
        return Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="whet-demo-")))
    if keep.exists() and any(keep.iterdir()):
        raise Refused(f"{keep} is not empty", "name a new folder")
    keep.mkdir(parents=True, exist_ok=True)
    return keep.resolve()


def _demo(folder: Path, approver: DemoApprover, *, as_json: bool) -> int:
    console = screen.console()
    console.quiet = as_json
    progress = None if as_json else Terminal()

    def stage(title: str, command: str) -> None:
        if progress:
            progress.done()
        console.print(Rule(f"[bold]{title}[/]  [dim]$ {command}[/]", align="left"))

    project = open_project(folder / "tests", progress, local=True)
    stage("A repository with failing tests", "whet scan")
    before = scan(project)
    if progress:
        progress.done()
    console.print(scan_table(before))

    stage("Localise, propose, prove: red, green, red on revert", "whet run")
    with running(project) as loop:
        proposal = loop.wait_for_cycle(loop.start("demo"))[0]
        view = loop.wait_for(proposal)
        stage("The gate waits for a person", f"whet show {proposal}; whet diff {proposal}")
        console.print(proposal_details(view))
        patch = view.built.patch if view.built else None
        if patch is None or view.open_question is None:
            return 1
        console.print(screen.diff(patch.diff))
        stage("An agent under the same account tries to approve", f"whet approve {proposal} --yes")
        console.print(_refusal(project, proposal), style="green")
        stage("A person signs; snapshot, rehearsed rollback, deploy to main, verify", f"whet approve {proposal}")
        signed = statement(project, proposal, NAME, "the demo's own yes")
        console.print(signed, markup=False)
        proof = approver.sign(signed)
        answer(
            project, proposal, Answer.APPROVED, GivenAnswer(via="demo", why="the demo's own yes", who=NAME, proof=proof)
        )
        view = loop.wait_for(proposal)
    stage("Deployed", "git log -1 main")
    console.print(project.git.text("log", "-1", "--stat", "main"), markup=False)
    after_fix = scan(project)
    if progress:
        progress.done()
    console.print(f"{after_fix.passed} of {after_fix.tests} tests pass now; {before.passed} did before", style="green")

    stage("Rolled back, as a revert with the reason", f'whet rollback {proposal} --why "the demo is over"')
    rolled_back = rollback(project, proposal, "the demo is over")
    console.print(project.git.text("log", "-1", "main"), markup=False)
    restored = project.git.tree_of(rolled_back.after) == project.git.tree_of(view.proposal.base)
    console.print(
        "the tree is the one from before, hash for hash" if restored else "the tree differs",
        style="green" if restored else "red",
    )

    stage("All of it is on record, and every signature is verified again", "whet audit")
    audited = audit(project)
    approved_by = ", ".join(approval.people for approval in view.approvals if approval.approver == "person")
    console.print(f"{audited.entries} ledger entries, chain and invariants {'hold' if audited.ok else 'DO NOT HOLD'}")
    console.print(f"approved by {approved_by}; unproven approvals: {len(audited.unproven)}", markup=False)
    tools = run_tools_demo(folder / "tools", stage, console, progress)
    if progress:
        progress.done()  # a spinner would go on beside the server of the pages
    ok = restored and audited.ok and not audited.unproven and after_fix.passed > before.passed and tools["ok"]
    if as_json:
        final = view_proposal(project.ledger, proposal)
        emit({"ok": ok, "proposal": proposal, "status": final.status, "diff": patch.diff, "evidence": final.evidence,
              "passed_before": before.passed, "passed_after": after_fix.passed, "entries": audited.entries, "approved_by": approved_by,
              "tools": tools})  # fmt: skip
    return 0 if ok else 1


def _refusal(project: Project, proposal: str) -> str:
    """Try to approve without a signature, as any process of this user can, and return whet's refusal."""
    try:
        answer(project, proposal, Answer.APPROVED, GivenAnswer(via="demo", why="looks good to me"))
    except Refused as refusal:
        return f"refused: {refusal.message}"
    return "NOT REFUSED"
