"""The arguments and options of `whet prove`."""

from pathlib import Path
from typing import Annotated

import typer

Range = Annotated[str, typer.Argument(metavar="RANGE", help="A range of commits, such as main..feature.")]
PatchFile = Annotated[Path | None, typer.Option("--patch", help="A patch file.")]
Branch = Annotated[str, typer.Option("--branch", help="A branch, compared with the commit where it left the base.")]
Base = Annotated[str, typer.Option("--base", help="The commit to prove against; default: the target branch.")]
TrustTests = Annotated[
    bool, typer.Option("--trust-tests", help="Count the change's own tests as evidence: you vouch for them.")
]
StatedClaim = Annotated[
    str,
    typer.Option(
        "--claim",
        metavar="CLAIM",
        help="`refactoring` or `tests`: what the change is, if no test is to turn green. It passes if that is shown.",
    ),
]
Each = Annotated[
    bool, typer.Option("--each", help="Prove every commit of the range as a change of its own; all must pass.")
]
AttestationFile = Annotated[
    Path | None, typer.Option("--attest", metavar="FILE", help="Write an attestation for `whet verify`.")
]
SigningKey = Annotated[
    Path | None,
    typer.Option("--sign", metavar="KEY", help="Sign the attestation with this private SSH key, to FILE.sig."),
]
CacheFile = Annotated[
    Path | None, typer.Option("--cache", help="A file that keeps the run of the base between CI jobs.")
]
OnForge = Annotated[
    bool, typer.Option("--check", help="Show the result on the judged commit, on the forge (see [forge]).")
]
Everything = Annotated[bool, typer.Option("--all", help="Show every safeguard and the limits of the sandbox too.")]
Formats = Annotated[
    list[str] | None,
    typer.Option(
        "--format",
        metavar="NAME[=FILE]",
        help="text, json, markdown, sarif, github, gitlab or junit; printed, or written to FILE. May be repeated.",
    ),
]
ShortJson = Annotated[bool, typer.Option("--json", help="Short for --format json.")]
