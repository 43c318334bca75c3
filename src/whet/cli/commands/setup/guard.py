"""`guard`: ask the guard about something without doing it."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from whet.cli.commands.setup import agent_hook
from whet.cli.commands.setup.staged import staged
from whet.cli.commands.shared import Json, open_project_here

if TYPE_CHECKING:
    from whet.guard.answer import GuardAnswer

EXAMPLES = {
    "command": "whet guard command 'rm -rf build && git push --force'",
    "explain": "whet guard explain src/auth.py",
    "staged": "git add . && whet guard staged",
    "log": "whet guard log --last 5",
    **agent_hook.EXAMPLES,
}
group = typer.Typer(
    name="guard",
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Ask the guard what it would say. Nothing is run, nothing is changed.",
    epilog=f"Example: {EXAMPLES['command']}",
)


def command(
    text: Annotated[
        str, typer.Argument(metavar="COMMAND", help="A shell command, in quotes; - reads it from standard input.")
    ],
    allow: Annotated[
        list[str] | None,
        typer.Option("--allow", metavar="NAME", help="Allow only commands with this name; may be repeated."),
    ] = None,
    as_json: Json = False,
) -> int:
    """Say what a shell command would start, and whether it may run.

    Names what is dangerous in it. Exits with 0 where it may, 3 where it is refused, 7 where a person must look.
    """
    from whet.guard.shell import ShellPolicy, inspect

    script: str | bytes = sys.stdin.buffer.read(ShellPolicy().longest * 4 + 1) if text == "-" else text
    inspection = inspect(script, ShellPolicy(allow=frozenset(allow) if allow else None))
    if as_json:
        from whet.cli.output import emit

        details = {
            "commands": [row._asdict() for row in inspection.commands],
            "dangers": [row._asdict() for row in inspection.dangers],
        }
        emit({"answer": _word(inspection.answer), "because": inspection.answer, **details})
    else:
        from whet.cli.views.shell import show

        show(script if isinstance(script, str) else script.decode("utf-8", "replace"), inspection)
    return _exit_code(inspection.answer)


def explain(
    path: Annotated[str, typer.Argument(metavar="PATH", help="A path in the repository; the file need not exist.")],
    as_json: Json = False,
) -> int:
    """Say which rule decides about a path, and why. Exits 0 where a change may touch it, 3 where none may, 2 for a path
    outside the repository."""
    from whet.app.explain import explain as ask
    from whet.cli.output import emit, say

    project = open_project_here(as_json=True)
    explanation = ask(project, str(Path.cwd() / path))
    if as_json:
        emit(explanation)
    else:
        details = [("rule", explanation.rule), ("pattern", explanation.pattern), ("from", explanation.origin)]
        details += [("also", note) for note in explanation.also]
        say(
            f"{explanation.decision}: {explanation.reason}",
            *(f"  {name:<8} {value}" for name, value in details if value),
        )
    return 3 if explanation.decision == "refused" else 0


def log(
    last: Annotated[int, typer.Option("--last", metavar="N", min=1, help="Show only the newest N calls.")] = 20,
    as_json: Json = False,
) -> int:
    """Show the calls that the hook of coding agents refused or raised."""
    from whet.app.agent_hook.policy import policy_at
    from whet.app.agent_hook.refused_calls import entries, folder_for
    from whet.cli.output import emit, say

    _, checkout = policy_at(str(Path.cwd()))
    calls = list(entries(folder_for(checkout)))[-last:]
    if as_json:
        emit(calls)
    elif not calls:
        say("no call was refused or raised here")
    else:
        say(*(f"{call['at']}  {call['answer']}  {call['agent']}  {call['tool']}: {call['reason']}" for call in calls))
    return 0


def _word(answer: "GuardAnswer") -> str:
    from whet.guard.answer import Allow, Refuse

    return "allowed" if isinstance(answer, Allow) else "refused" if isinstance(answer, Refuse) else "raised"


def _exit_code(answer: "GuardAnswer") -> int:
    return {"allowed": 0, "refused": 3, "raised": 7}[_word(answer)]


group.command(name="command", epilog=f"Example: {EXAMPLES['command']}")(command)
group.command(name="explain", epilog=f"Example: {EXAMPLES['explain']}")(explain)
group.command(name="staged", epilog=f"Example: {EXAMPLES['staged']}")(staged)
group.command(name="log", epilog=f"Example: {EXAMPLES['log']}")(log)
group.add_typer(agent_hook.group)
