"""`whet prove`: the proof for a patch that whet did not write."""

from pathlib import Path
from typing import Annotated

import typer

from whet.cli.commands.shared import Json, end_progress, open_project_here, repository_of


def prove(
    commits: Annotated[str, typer.Argument(help="A range of commits, such as main..feature.")] = "",
    patch: Annotated[Path | None, typer.Option("--patch", help="A patch file.")] = None,
    branch: Annotated[
        str, typer.Option("--branch", help="A branch, compared with the commit where it left the base.")
    ] = "",
    base: Annotated[str, typer.Option("--base", help="The commit to prove against; default: the target branch.")] = "",
    trust_tests: Annotated[
        bool, typer.Option("--trust-tests", help="Count the change's own tests as evidence: you vouch for them.")
    ] = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print a summary for a pull request.")] = False,
    as_json: Json = False,
) -> int:
    """Prove anyone's change: a patch file, a branch or a range.

    A proof: tests are red without the change, green with it, red again when it is reverted, and all others are unchanged.
    """
    from whet.app import prove as proofs
    from whet.cli.output import emit, say
    from whet.cli.views import screen
    from whet.cli.views.evidence import evidence_view
    from whet.domain.verdict import Verdict

    project = open_project_here(as_json=as_json or markdown)
    proof = repository_of(project).prove(
        patch=patch, branch=branch, commits=commits, base=base, trust_tests=trust_tests
    )
    end_progress(project)
    if as_json:
        emit({"verdict": proof.evidence.verdict, "digest": proof.evidence.digest, "evidence": proof.evidence})
    elif markdown:
        say(proofs.markdown(proof).rstrip())
    else:
        screen.console().print(evidence_view(proof.evidence))
    return {Verdict.PASSED: 0, Verdict.FAILED: 1, Verdict.INCONCLUSIVE: 7}[proof.evidence.verdict]
