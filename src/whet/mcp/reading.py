"""The tools that only read: findings, proposals, the guard's answers, budgets and the audit."""

from pathlib import Path
from typing import Any

from whet.app.audits.audit import audit
from whet.app.budget import budget_statuses
from whet.app.explain import explain
from whet.app.findings.recorded_findings import recorded_findings
from whet.app.project import Project, open_project
from whet.app.views.proposal_report import brief, full
from whet.app.views.proposal_view import ProposalView, resolve, view_proposal, view_proposals
from whet.errors import Refused
from whet.guard.answer import Allow, Refuse
from whet.guard.shell import ShellPolicy, inspect
from whet.mcp.answers import plain, tool_errors

MOST_ROWS = 100
"""A list ends after so many rows and says how many it left out: the answer goes into a model's context."""


class Reading:
    """The reading tools of one repository. The project is opened anew for every call, so that each sees the present."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def project(self) -> Project:
        return open_project(self._root)

    @tool_errors
    def list_findings(self) -> dict[str, Any]:
        """List what the last cycle found, best first, with ids, places and reasons. Runs nothing."""
        findings = recorded_findings(self.project().ledger)
        return _page("findings", list(findings.findings), {"looked_at": findings.looked_at})

    @tool_errors
    def list_proposals(self, status: str = "") -> dict[str, Any]:
        """List proposals, newest first: status, title, verdict, open question. `status` keeps those in one status."""
        views = reversed(view_proposals(self.project().ledger))
        return _page("proposals", [brief(view) for view in views if not status or view.status == status])

    @tool_errors
    def show_proposal(self, proposal: str) -> dict[str, Any]:
        """Show everything on record about a proposal, by the beginning of its id."""
        view = self.view(proposal)
        return _object({**brief(view), **full(view)})

    @tool_errors
    def get_diff(self, proposal: str) -> dict[str, Any]:
        """Return the patch of a proposal as a unified diff, with the commit that it applies to."""
        view = self.view(proposal)
        patch = view.built.patch if view.built else None
        if patch is None:
            raise Refused(f"{view.proposal.id} has no patch" + (f": {view.built.note}" if view.built else " yet"))
        return _object({"proposal": view.proposal.id, "base": patch.base, "summary": patch.summary, "diff": patch.diff})

    @tool_errors
    def explain_path(self, path: str) -> dict[str, Any]:
        """Say whether a change may touch a path of the repository, and which rule decides."""
        return _object(explain(self.project(), path))

    @tool_errors
    def judge_command(self, command: str) -> dict[str, Any]:
        """Say what a shell command would start and what is dangerous in it. The command is not run."""
        answer = (inspection := inspect(command, ShellPolicy())).answer
        word = "allowed" if isinstance(answer, Allow) else "refused" if isinstance(answer, Refuse) else "raised"
        dangers = [danger._asdict() for danger in inspection.dangers]
        return _object({"answer": word, "reason": answer.reason, "dangers": dangers})

    @tool_errors
    def budget(self) -> dict[str, Any]:
        """Return every budget: granted, reserved, spent, left."""
        return _object({"budgets": budget_statuses(self.project())})

    @tool_errors
    def audit(self) -> dict[str, Any]:
        """Verify the ledger, the deploy commits, the approvals and the invariants."""
        result = audit(self.project())
        return _object({"ok": result.ok, "audit": result})

    def view(self, proposal: str) -> ProposalView:
        ledger = self.project().ledger
        return view_proposal(ledger, resolve(ledger, proposal))


def _page(name: str, rows: list[dict[str, Any]], more: dict[str, Any] | None = None) -> dict[str, Any]:
    left_out = max(0, len(rows) - MOST_ROWS)
    return _object({name: rows[:MOST_ROWS], "left_out": left_out, **(more or {})})


def _object(data: Any) -> dict[str, Any]:
    result: dict[str, Any] = plain(data)
    return result
