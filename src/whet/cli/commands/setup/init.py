"""`whet init`: write a whet.toml for this repository."""

from pathlib import Path
from typing import Annotated

import typer

from whet.cli.commands.shared import Json


def init(
    as_json: Json = False,
    print_: Annotated[bool, typer.Option("--print", help="Print every key with its default instead.")] = False,
    schema: Annotated[
        bool,
        typer.Option(
            "--schema", help="Also write whet.schema.json, by which editors complete whet.toml, and name it there."
        ),
    ] = False,
    enrol: Annotated[
        Path | None, typer.Option("--enrol", metavar="KEY.pub", help="Enrol this key of yours for approvals, too.")
    ] = None,
) -> int:
    """Write a short whet.toml for this repository.

    A whet.toml that exists is never overwritten; --schema adds a first line to it. With --print, --schema prints the schema. On a terminal, offer to enrol your key for approvals in whet.signers; then
    every change needs a signature.
    """
    from whet.app.setup.editor_schema import settings_schema, write_schema
    from whet.app.setup.init import every_key
    from whet.app.setup.init import init as write
    from whet.cli.output import emit, say
    from whet.domain.own_files import FILE_NAME
    from whet.git.git import open_repository

    if print_:
        say((settings_schema() if schema else every_key()).rstrip())
        return 0
    git = open_repository(Path.cwd())
    if schema and not enrol and (git.root / FILE_NAME).exists():
        return _write_schema_alone(git.root, as_json=as_json)
    key = enrol or (None if as_json else _offered_key())
    path, detected = write(git, signed=key is not None)
    written = write_schema(git.root) if schema else None
    signers = _enrol(key) if key else None
    if as_json:
        paths = {"signers": str(signers) if signers else None, "schema": str(written.path) if written else None}
        emit({"path": str(path), "detected": detected, **paths})
        return 0
    say(
        f"wrote {path}",
        *((f"wrote {written.path}",) if written else ()),
        f"tests: {detected.runner} {' '.join(detected.folders)}".rstrip(),
        f"python: {detected.version} ({detected.path})",
    )
    say(
        *(f"note: {note}" for note in detected.notes),
        *((f"wrote {signers}",) if signers else ()),
        "next: commit whet.toml (it is the policy that everybody's proofs go by), then whet doctor and whet scan",
    )
    if signers is None:
        say("to have approvals signed: whet approvers key, then whet approvers enrol YOUR-ADDRESS KEY.pub")
    return 0


def _write_schema_alone(root: Path, *, as_json: bool) -> int:
    from whet.app.setup.editor_schema import write_schema
    from whet.cli.output import emit, say

    written = write_schema(root)
    if as_json:
        emit({"schema": str(written.path), "added": written.added})
        return 0
    line = "its first line names the schema" if written.added else "it names a schema already, and is left as it is"
    say(f"wrote {written.path}", f"whet.toml: {line}", "next: commit both, so that they are there in every clone")
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
