"""`whet prove`: the proof for a patch that whet did not write."""

from pathlib import Path
from typing import Annotated

import typer

from whet.cli.commands.shared import Json, end_progress, open_project_here, repository_of


def prove(
    commits: Annotated[str, typer.Argument(metavar="RANGE", help="A range of commits, such as main..feature.")] = "",
    patch: Annotated[Path | None, typer.Option("--patch", help="A patch file.")] = None,
    branch: Annotated[
        str, typer.Option("--branch", help="A branch, compared with the commit where it left the base.")
    ] = "",
    base: Annotated[str, typer.Option("--base", help="The commit to prove against; default: the target branch.")] = "",
    trust_tests: Annotated[
        bool, typer.Option("--trust-tests", help="Count the change's own tests as evidence: you vouch for them.")
    ] = False,
    attest: Annotated[
        Path | None, typer.Option("--attest", metavar="FILE", help="Write an attestation for `whet verify`.")
    ] = None,
    key: Annotated[
        Path | None,
        typer.Option("--sign", metavar="KEY", help="Sign the attestation with this private SSH key, to FILE.sig."),
    ] = None,
    cache: Annotated[
        Path | None, typer.Option("--cache", help="A file that keeps the run of the base between CI jobs.")
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Show every safeguard and the limits of the sandbox too.")
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
    from whet.cli.views.markdown import markdown as summary
    from whet.domain.verdict import Verdict
    from whet.errors import UsageError

    if key and not attest:
        raise UsageError("--sign signs an attestation", "name its file too: --attest FILE")
    project = open_project_here(as_json=as_json or markdown)
    repository = repository_of(project)
    proof = repository.prove(
        patch=patch, branch=branch, commits=commits, base=base, trust_tests=trust_tests, cache=cache
    )
    end_progress(project)
    if attest:
        _write_attestation(repository.attest(proof.evidence), attest, key)
    if as_json:
        emit(proofs.report(proof.evidence))
    elif markdown:
        say(summary(proof).rstrip())
    else:
        screen.console().print(evidence_view(proof.evidence, everything=everything))
    return {Verdict.PASSED: 0, Verdict.FAILED: 1, Verdict.INCONCLUSIVE: 7}[proof.evidence.verdict]


def _write_attestation(text: str, file: Path, key: Path | None) -> None:
    from whet.app.attestations import sign, signature_file
    from whet.errors import UsageError

    try:
        file.write_text(text)
        if key:
            signature_file(file).write_text(sign(text, key))
    except OSError as problem:
        raise UsageError(f"{problem.filename} cannot be written: {problem.strerror}") from problem
