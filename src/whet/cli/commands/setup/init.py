"""`whet init`: write a whet.toml for this repository."""

from pathlib import Path
from typing import Annotated

import typer

from whet.cli.commands.shared import Json


def init(
    as_json: Json = False,
    print_: Annotated[bool, typer.Option("--print", help="Print every key with its default instead.")] = False,
    schema: Annotated[
        bool, typer.Option("--schema", help="Print the JSON Schema of whet.toml, for editors, instead.")
    ] = False,
    enrol: Annotated[
        Path | None, typer.Option("--enrol", metavar="KEY.pub", help="Enrol this key of yours for approvals, too.")
    ] = None,
) -> int:
    """Write a short whet.toml for this repository.

    A whet.toml that exists is never overwritten. On a terminal, offer to enrol your key for approvals in whet.signers; then
    every change needs a signature.
    """
    from whet.app.setup.init import every_key, settings_schema
    from whet.app.setup.init import init as write
    from whet.cli.output import emit, say
    from whet.git.git import open_repository

    if print_:
        say(every_key().rstrip())
        return 0
    if schema:
        say(settings_schema().rstrip())
        return 0
    key = enrol or (None if as_json else _offered_key())
    path, detected = write(open_repository(Path.cwd()), signed=key is not None)
    signers = _enrol(key) if key else None
    if as_json:
        emit({"path": str(path), "detected": detected, "signers": str(signers) if signers else None})
        return 0
    say(
        f"wrote {path}",
        f"tests: {detected.runner} {' '.join(detected.folders)}".rstrip(),
        f"python: {detected.version}",
    )
    say(
        *(f"note: {note}" for note in detected.notes),
        *((f"wrote {signers}",) if signers else ()),
        "next: commit whet.toml (it is the policy that everybody's proofs go by), then whet doctor and whet scan",
    )
    if signers is None:
        say("to have approvals signed: whet approvers key, then whet approvers enrol YOUR-ADDRESS KEY.pub")
    return 0


def _offered_key() -> Path | None:
    """Ask on the terminal which key to enrol; None if nobody is there, there is no key, or the person declines."""
    from whet.app.approvals.approvers import own_keys
    from whet.cli.ask import is_interactive

    keys = own_keys() if is_interactive() else []
    if keys and typer.confirm(f"Enrol {keys[0]} for approvals, so that nobody can approve without it?", default=True):
        return keys[0]
    return None


def _enrol(key: Path) -> Path:
    """Enrol a key under the mail address that git knows."""
    from whet.app.approvals.approvers import enrol
    from whet.app.project import open_project
    from whet.errors import UsageError

    project = open_project(Path.cwd())
    address = (project.git.try_ask("config", "user.email") or b"").decode(errors="replace").strip()
    if not address:
        raise UsageError("git knows no mail address of yours", f"whet approvers enrol YOUR-ADDRESS {key}")
    return enrol(project, address, key)
