"""`whet prove`: the proof for a patch that whet did not write."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from whet.cli.commands.shared import end_progress, open_project_here, repository_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from whet.app.project import Project
    from whet.app.proofs.prove import Proof
    from whet.domain.verdict import Verdict


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
    claim: Annotated[
        str,
        typer.Option(
            "--claim",
            metavar="CLAIM",
            help="`refactoring` or `tests`: what the change is, if no test is to turn green. It passes if that is shown.",
        ),
    ] = "",
    each: Annotated[
        bool, typer.Option("--each", help="Prove every commit of the range as a change of its own; all must pass.")
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
    check: Annotated[
        bool, typer.Option("--check", help="Show the result on the judged commit, on the forge (see [forge]).")
    ] = False,
    everything: Annotated[
        bool, typer.Option("--all", help="Show every safeguard and the limits of the sandbox too.")
    ] = False,
    formats: Annotated[
        list[str] | None,
        typer.Option(
            "--format",
            metavar="NAME[=FILE]",
            help="text, json, markdown, sarif, github, gitlab or junit; printed, or written to FILE. May be repeated.",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Short for --format json.")] = False,
) -> int:
    """Prove anyone's change: a patch file, a branch or a range.

    A proof: tests are red without the change, green with it, red again when it is reverted, and all others are unchanged.
    """
    from whet.app.proofs.check_runs import judged_commit
    from whet.cli import formats as outputs
    from whet.errors import UsageError

    if key and not attest:
        raise UsageError("--sign signs an attestation", "name its file too: --attest FILE")
    requested = outputs.parse([*(formats or ()), *(["json"] if as_json else [])])
    printed = next((output.format for output in requested if output.file is None), "text")
    project = open_project_here(as_json=printed != "text")
    if each:
        if patch or attest or check or cache or printed not in ("text", "json", "markdown") or len(requested) > 1:
            raise UsageError(
                "--each goes with a range, and prints text, json or markdown", "prove one commit for the rest"
            )
        proofs = repository_of(project).prove_each(
            branch=branch, commits=commits, base=base, trust_tests=trust_tests, claim=claim
        )
        end_progress(project)
        _print_each(proofs, printed, everything=everything)
        return _exit_code([proof.evidence.verdict for proof in proofs])
    commit = judged_commit(project.git, branch, commits) if check else ""
    repository = repository_of(project)
    proof = repository.prove(
        patch=patch, branch=branch, commits=commits, base=base, trust_tests=trust_tests, cache=cache, claim=claim
    )
    end_progress(project)
    if attest:
        _write_attestation(repository.attest(proof.evidence), attest, key)
    outputs.write_files(requested, proof)
    if check:
        _post(project, proof, commit)
    _print(proof, printed, everything=everything)
    return _exit_code([proof.evidence.verdict])


def _exit_code(verdicts: "Sequence[Verdict]") -> int:
    """Return the exit code of the worst verdict."""
    return 1 if "failed" in verdicts else 7 if "inconclusive" in verdicts else 0


def _print_each(proofs: "Sequence[Proof]", name: str, *, everything: bool) -> None:
    from whet.app.proofs.prove import report
    from whet.cli.output import emit, say
    from whet.domain.sanitize import one_line

    if name == "json":
        emit({"commits": [{"commit": proof.patch.summary, **report(proof.evidence)} for proof in proofs]})
        return
    for proof in proofs:
        heading = one_line(proof.patch.summary)
        say(f"## `{heading}`" if name == "markdown" else heading)
        _print(proof, name, everything=everything)


def _print(proof: "Proof", name: str, *, everything: bool) -> None:
    from whet.cli import formats as outputs
    from whet.cli.views import screen
    from whet.cli.views.evidence import evidence_view

    if name == "text":
        screen.console().print(evidence_view(proof.evidence, everything=everything))
    else:
        sys.stdout.write(outputs.render(name, proof))


def _post(project: "Project", proof: "Proof", commit: str) -> None:
    from whet.app.proofs.check_runs import post_check

    address = post_check(project, proof, commit)
    project.progress.note(f"the result is on {address or commit[:10]}")


def _write_attestation(text: str, file: Path, key: Path | None) -> None:
    from whet.app.proofs.attestations import detached_file, sign
    from whet.errors import UsageError

    try:
        file.write_text(text)
        if key:
            detached_file(file).write_text(sign(text, key))
    except OSError as problem:
        raise UsageError(f"{problem.filename} cannot be written: {problem.strerror}") from problem
