"""`suggest`, `prove`, `rollback`, and the kill switch: `stop`, `start`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from whet.cli.commands.shared import Json, Why, end_progress, file_of, from_here, opened

if TYPE_CHECKING:
    pass


def suggest(
    text: Annotated[str, typer.Argument(help="What should be better, and why.")],
    where: Annotated[str, typer.Option("--where", help="The file it is about.")] = "",
    case: Annotated[str, typer.Option("--case", help="An expression over that file's names that must be true.")] = "",
    raises: Annotated[str, typer.Option("--raises", help="The exception that the case must raise instead.")] = "",
    patch: Annotated[
        Path | None, typer.Option("--patch", help="A change that will do, as a diff; proved all the same.")
    ] = None,
    as_json: Json = False,
) -> int:
    """State an intent. With a case, repair can act on it, and the case ships as a test with the fix."""
    from whet.app.suggest import suggest as record
    from whet.cli.output import emit, say

    project = opened(as_json=True)
    made = record(project, text, from_here(project, where) if where else "", case, raises, _diff(patch))
    if as_json:
        emit(made)
    else:
        say(
            f"noted as {made.id}; `whet scan` ranks it, `whet run` acts on it"
            + ("" if case else " where an engine can")
        )
    return 0


def _diff(patch: Path | None) -> str:
    from whet.errors import UsageError
    from whet.files import MB, read_file

    if patch is None:
        return ""
    try:
        return read_file(patch, MB).decode()
    except OSError as problem:
        raise UsageError(f"{patch} cannot be read: {problem.strerror}") from problem
    except UnicodeDecodeError as problem:
        raise UsageError(f"{patch} is no text") from problem


def prove(
    commits: Annotated[str, typer.Argument(help="A range of commits, such as main..feature.")] = "",
    patch: Annotated[Path | None, typer.Option("--patch", help="A patch file.")] = None,
    branch: Annotated[str, typer.Option("--branch", help="A branch, compared with where it left the base.")] = "",
    base: Annotated[str, typer.Option("--base", help="What it is proved against; default: the target branch.")] = "",
    trust_tests: Annotated[
        bool, typer.Option("--trust-tests", help="You have read the tests that the change brings: let them count.")
    ] = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print a summary for a pull request.")] = False,
    as_json: Json = False,
) -> int:
    """Give the same proof to anyone's change: red without it, green with it, red on revert, the rest held."""
    from whet.app import prove as proofs
    from whet.cli import render
    from whet.cli.output import emit, say
    from whet.domain.verdict import Verdict
    from whet.errors import UsageError

    if sum(map(bool, (commits, patch, branch))) != 1:
        raise UsageError("name one change: --patch FILE, --branch NAME or a range", "whet prove --branch feature")
    project = opened(as_json=as_json or markdown)
    against = project.git.resolve(base or project.ref)
    if patch:
        change = proofs.from_file(project.git, against, patch)
    else:
        change = proofs.from_branch(project.git, against, branch) if branch else proofs.from_range(project.git, commits)
    proof = proofs.prove(project, change, trust_tests=trust_tests)
    end_progress(project)
    if as_json:
        emit({"verdict": proof.evidence.verdict, "digest": proof.evidence.digest, "evidence": proof.evidence})
    elif markdown:
        say(proofs.markdown(proof).rstrip())
    else:
        render.console().print(render.evidence(proof.evidence))
    return {Verdict.PASSED: 0, Verdict.FAILED: 1, Verdict.INCONCLUSIVE: 7}[proof.evidence.verdict]


def rollback(
    which: Annotated[str, typer.Argument(help="A deployment or proposal; with --to, a tool or a path.")],
    why: Why = "taken back by hand",
    to: Annotated[int | None, typer.Option("--to", min=1, help="Bring the tool or path back to this version.")] = None,
    as_json: Json = False,
) -> int:
    """Take a deployment back as a revert with the reason, or bring a file back to any version."""
    from whet.app import rollback
    from whet.cli.output import emit, say

    project = opened(as_json=as_json)
    done = rollback.restore(project, file_of(project, which), to, why) if to else rollback.rollback(project, which, why)
    end_progress(project)
    if as_json:
        emit(done)
    else:
        now = "removed" if set(done.after) == {"0"} else f"is at {done.after[:10]}"
        say(f"taken back: {done.deployment}; {done.ref.removeprefix('refs/heads/')} {now}")
    return 0


def stop(why: Why = "", as_json: Json = False) -> int:
    """Switch whet off: running sandboxes end within a second, nothing new begins, nothing lands any more."""
    from whet.app import kill_switch
    from whet.cli.output import emit, say

    kill_switch.stop(opened(as_json=True), why)
    emit({"stopped": True}) if as_json else say("stopped; `whet start` switches whet on again")
    return 0


def start(as_json: Json = False) -> int:
    """Switch whet on again after a stop."""
    from whet.app import kill_switch
    from whet.cli.output import emit, say

    was = kill_switch.start(opened(as_json=True))
    emit({"stopped": False, "was_stopped": was}) if as_json else say(
        "on again; `whet resume` goes on" if was else "whet was on"
    )
    return 0
