"""The tools that ask for something: a suggestion, a proof, a stop. None of them decides about a change."""

import re
from pathlib import Path
from typing import Any

from mcp.server.mcpserver import Context

from whet.app import kill_switch
from whet.app.findings.suggest import suggest
from whet.app.project import open_project
from whet.app.proofs.proof_queue import Proofs, requested_change
from whet.mcp.answers import plain, tool_errors

_NOT_A_NAME = re.compile(r"[^A-Za-z0-9._-]+")


class Requests:
    """The requesting tools of one repository."""

    def __init__(self, root: Path, proofs: Proofs) -> None:
        self._root = root
        self._proofs = proofs

    @tool_errors
    def suggest(
        self, context: Context, text: str, where: str = "", case: str = "", raises: str = "", patch: str = ""
    ) -> dict[str, Any]:
        """Record what should be better and why. It changes nothing: whet ranks it, proves any change, and asks a person.

        `where` is the file it is about; `case` an expression over that file's names that must become true, or raise the
        exception named in `raises`; `patch` a unified diff to try.
        """
        suggestion = suggest(open_project(self._root), text, where, case, raises, patch, by=author(context))
        return dict(plain(suggestion))

    @tool_errors
    def prove(self, patch: str = "", branch: str = "", base: str = "") -> dict[str, Any]:
        """Start the proof of a change, given as a unified diff or as a branch, and return its handle. Nothing is deployed.

        `base` is the commit to prove against, by default the branch that whet improves. The same change again gives the
        same handle. Ask `prove_result` for the verdict.
        """
        change = requested_change(open_project(self._root), patch, branch, base)
        return dict(plain(self._proofs.start(change)))

    @tool_errors
    def prove_result(self, handle: str) -> dict[str, Any]:
        """Return the state of a proof: waiting, running, failed with a reason, or done with verdict and evidence."""
        return dict(plain(self._proofs.state(handle)))

    @tool_errors
    def stop(self, context: Context, why: str) -> dict[str, Any]:
        """Switch whet off at once: running sandboxes end and nothing is deployed any more. Only a person starts it again."""
        kill_switch.stop(open_project(self._root, stopping=True), f"{author(context)}: {why}")
        return {"stopped": True}


def author(context: Context) -> str:
    """Return the name of the connected program for the record, as `agent:<name>`: its own word, so it proves nothing."""
    client = context.session.client_params
    name = _NOT_A_NAME.sub("-", client.client_info.name)[:40].strip("-") if client else ""
    return f"agent:{name or 'unnamed'}"
