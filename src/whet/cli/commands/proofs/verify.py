"""`whet verify`: check an attestation of a proof without running anything."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from whet.cli.commands.shared import Json, open_project_here

if TYPE_CHECKING:
    from whet.app.project import Project


def verify(
    attestation: Annotated[Path, typer.Argument(metavar="FILE", help="The attestation, from `whet prove --attest`.")],
    commit: Annotated[
        str, typer.Option("--commit", metavar="REV", help="Refuse unless this commit or tree is the attested one.")
    ] = "",
    signed: Annotated[
        bool, typer.Option("--signed", help="Refuse a file that nobody on the list of signers signed.")
    ] = False,
    signature: Annotated[
        Path | None, typer.Option("--signature", metavar="FILE", help="The signature; default: FILE.sig, if it exists.")
    ] = None,
    signers: Annotated[
        Path | None,
        typer.Option("--signers", metavar="FILE", help="The list of signers; default: the one on the target branch."),
    ] = None,
    as_json: Json = False,
) -> int:
    """Check an attestation of a proof. Nothing is run.

    It says what was verified and what was not: an unsigned attestation can be written by anybody.
    """
    from whet.app.proofs.attestations import Demands
    from whet.app.proofs.attestations import verify as check
    from whet.cli.output import emit
    from whet.cli.views import screen
    from whet.cli.views.verification import verification_view
    from whet.domain.verdict import Verdict

    demands = Demands(commit=commit, detached=signature, signers=signers, signed=signed)
    result = check(attestation, _project_if_any(), demands)
    if as_json:
        emit({"verdict": result.evidence.verdict, "summary": result.evidence.scope.text, "verification": result})
    else:
        screen.console().print(verification_view(result))
    return {Verdict.PASSED: 0, Verdict.FAILED: 1, Verdict.INCONCLUSIVE: 7}[result.evidence.verdict]


def _project_if_any() -> "Project | None":
    """Return the project of the current folder; None outside a repository, where fewer facts can be compared."""
    from whet.errors import NotARepository

    try:
        return open_project_here(as_json=True)
    except NotARepository:
        return None
