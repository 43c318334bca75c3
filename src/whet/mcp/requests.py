"""The tools that ask for something: a suggestion, a proof, a person's word, a stop. None of them decides about a change."""

import re
from pathlib import Path
from typing import Any

from mcp.server.mcpserver import Context

from whet.app import kill_switch
from whet.app.agent_notes.ask import InquiryState, ask_people, inquiry_state
from whet.app.agent_notes.objections import object_to
from whet.app.findings.suggest import suggest
from whet.app.project import open_project
from whet.app.proofs.proof_queue import Proofs, requested_change
from whet.mcp.answers import plain, tool_errors

_NOT_A_NAME = re.compile(r"[^A-Za-z0-9._-]+")


class Requests:
    """The requesting tools of one repository. `pages` is the address of its pages for a browser; empty if it has none."""

    def __init__(self, root: Path, proofs: Proofs, pages: str = "") -> None:
        self._root = root
        self._proofs = proofs
        self._pages = pages

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
    def object(self, context: Context, proposal: str, why: str) -> dict[str, Any]:
        """Say why a proposal should not be approved. A person reads it before they decide.

        It decides nothing: the verdict, the tier and the gate stay as they are. Name the line or the input that is wrong.
        The same words are recorded once.
        """
        return dict(plain(object_to(open_project(self._root), proposal, why, author(context))))

    @tool_errors
    def ask_a_person(self, context: Context, question: str, proposal: str = "") -> dict[str, Any]:
        """Put a question to the people of this repository and return at once; `id` is the handle for `read_answer`.

        People may answer within minutes, days, or not at all: go on without waiting. `proposal` is the one that the question
        is about. An answer is advice; it approves nothing. The same question again gives the same handle.
        """
        return self._shown(ask_people(open_project(self._root), question, author(context), proposal))

    @tool_errors
    def read_answer(self, handle: str) -> dict[str, Any]:
        """Return a question to people by its handle: open, expired, or answered, with the reply and who gave it."""
        return self._shown(inquiry_state(open_project(self._root).ledger, handle))

    def _shown(self, inquiry: InquiryState) -> dict[str, Any]:
        page = f"{self._pages}/inquiries/{inquiry.id}" if self._pages else ""
        return {**plain(inquiry), "page": page}

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
