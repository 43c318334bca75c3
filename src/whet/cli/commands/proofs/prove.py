"""`whet prove`: the proof for a patch that whet did not write."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from whet.cli.commands.proofs import options
from whet.cli.commands.shared import end_progress, open_project_here, repository_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from whet.app.project import Project
    from whet.app.proofs.prove import ProvedChange
    from whet.domain.verdict import Verdict


def prove(
    commits: options.Range = "",
    patch: options.PatchFile = None,
    branch: options.Branch = "",
    base: options.Base = "",
    trust_tests: options.TrustTests = False,
    claim: options.StatedClaim = "",
    each: options.Each = False,
    attest: options.AttestationFile = None,
    key: options.SigningKey = None,
    cache: options.CacheFile = None,
    check: options.OnForge = False,
    everything: options.Everything = False,
    formats: options.Formats = None,
    as_json: options.ShortJson = False,
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


def _print_each(proofs: "Sequence[ProvedChange]", name: str, *, everything: bool) -> None:
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


def _print(proof: "ProvedChange", name: str, *, everything: bool) -> None:
    from whet.cli import formats as outputs
    from whet.cli.views import screen
    from whet.cli.views.evidence import evidence_view

    if name == "text":
        screen.console().print(evidence_view(proof.evidence, everything=everything))
    else:
        sys.stdout.write(outputs.render(name, proof))


def _post(project: "Project", proof: "ProvedChange", commit: str) -> None:
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
