"""The second half of `whet demo`: a running tool is repaired without a restart, and a bad change is rolled back."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rich.console import Console

from whet.app.approvals.decisions import GivenAnswer, answer
from whet.app.audits.audit import audit
from whet.app.cycles.loop import running
from whet.app.findings.scan import scan
from whet.app.findings.suggest import suggest
from whet.app.project import Project, open_project
from whet.app.views.proposal_view import ProposalView
from whet.cli.views import screen
from whet.cli.views.scan import scan_table
from whet.demo.sample_tools import Application, bad_change, make_tools_sample, try_first
from whet.domain.approval import Answer
from whet.domain.progress import Progress
from whet.store.executions import Executions

Stage = Callable[[str, str], None]
_RECORDED_SECONDS = 10.0


def run_tools_demo(folder: Path, stage: Stage, console: Console, progress: Progress | None) -> dict[str, Any]:
    make_tools_sample(folder)
    with Application(folder) as application:
        stage("A tool in a running application: ten calls", "python application.py")
        failed = application.calls(10)
        console.print(f"process {application.pid}: {failed} of 10 calls failed")
        repaired = _repair_tool(folder, application, stage, console, progress)
        after = application.calls(10)
        console.print(f"process {application.pid}, never restarted: {after} of 10 calls failed", style="green")
        tried = _try_bad_change(folder, application, stage, console, progress)
        still = application.calls(10)
        console.print(f"process {application.pid}: {still} of 10 calls failed", style="green")
    audited = audit(open_project(folder, progress, local=True))
    ok = (
        (failed, after, still) == (5, 0, 0)
        and repaired.lesson is not None
        and repaired.lesson.ending.worked
        and tried.status == "rolled_back"
        and audited.ok
    )
    return {
        "ok": ok,
        "failed_before": failed,
        "failed_after": after,
        "repaired": repaired.status,
        "bad_version": tried.status,
        "why": tried.lesson.summary if tried.lesson else "",
    }


def _repair_tool(
    folder: Path, application: Application, stage: Stage, console: Console, progress: Progress | None
) -> ProposalView:
    project = open_project(folder, progress, local=True)
    _wait_for_calls(project, 10)
    stage("Found in its captured calls", "whet scan")
    console.print(scan_table(scan(project)))
    stage("Repaired, its captured calls replayed in the sandbox", "whet run")
    yes = "Approved: merged, handed to the running process, watched on its calls"
    return _carry(project, application, yes, stage, console)


def _try_bad_change(
    folder: Path, application: Application, stage: Stage, console: Console, progress: Progress | None
) -> ProposalView:
    try_first(folder)
    project = open_project(folder, progress, local=True)
    stage("A wrong change that passes every test", "whet suggest ... --patch quicker.diff; whet run")
    suggest(
        project,
        "divide with a table and six digits",
        "calculator.py",
        "divide(1, 3) == 0.333333",
        "",
        bad_change(folder),
    )
    yes = "Approved: tried on half of the calls, and rolled back automatically"
    view = _carry(project, application, yes, stage, console)
    console.print(f"{view.status}: {view.lesson.summary if view.lesson else ''}")
    return view


def _carry(project: Project, application: Application, yes: str, stage: Stage, console: Console) -> ProposalView:
    """Carry a proposal to its gate, approve it, and follow it to its end while calls continue."""
    with running(project) as loop:
        proposal = loop.wait_for_cycle(loop.start("demo"))[0]
        view = loop.wait_for(proposal)
        if view.built and view.built.patch:
            console.print(screen.diff(view.built.patch.diff))
        stage(yes, f"whet approve {proposal}")
        answer(project, proposal, Answer.APPROVED, GivenAnswer(via="demo", why="the demo's own yes"))
        with application.busy():
            return loop.wait_for(proposal)


def _wait_for_calls(project: Project, calls: int) -> None:
    """Wait until the application's recorder has written its calls, which it does with a short delay."""
    until = time.monotonic() + _RECORDED_SECONDS
    executions = Executions(project.state)
    while sum(row.calls for row in executions.opportunity_rows()) < calls and time.monotonic() < until:
        time.sleep(0.05)
