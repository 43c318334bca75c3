"""`whet reply`: answer the question of an agent."""

from typing import TYPE_CHECKING, Annotated

import typer

from whet.cli.commands.shared import Json, open_project_here, repository_of

if TYPE_CHECKING:
    from whet.app.agent_notes.ask import InquiryState


def reply(
    inquiry: Annotated[
        str, typer.Argument(metavar="ID", help="The question, by the beginning of its id; shows it if TEXT is missing.")
    ] = "",
    text: Annotated[str, typer.Argument(metavar="TEXT", help="Your answer, for the agent and the record.")] = "",
    show_all: Annotated[bool, typer.Option("--list", help="List every question, not only the open ones.")] = False,
    as_json: Json = False,
) -> int:
    """Answer a question of an agent, or list the open ones.

    The answer is advice that the agent reads. It approves nothing and permits nothing.
    """
    from whet.app.agent_notes.ask import find_inquiry
    from whet.cli.output import emit, say

    repository = repository_of(open_project_here(as_json=True))
    if inquiry:
        asked = repository.reply(inquiry, text) if text else find_inquiry(repository.project.ledger, inquiry)
        emit(asked) if as_json else say(*([f"answered {asked.id}"] if text else _whole(asked)))
        return 0
    known = [asked for asked in repository.inquiries() if show_all or asked.state == "open"]
    if as_json:
        emit(known)
    else:
        say(
            *([_line(each) for each in known] or ["no agent has asked anything" if show_all else "no question is open"])
        )
    return 0


def _line(asked: "InquiryState") -> str:
    from whet.domain.sanitize import one_line

    about = f" about {asked.proposal}" if asked.proposal else ""
    return f"{asked.id}  {asked.state}  {one_line(asked.by)}{about}: {one_line(asked.text)}"


def _whole(asked: "InquiryState") -> list[str]:
    from whet.domain.sanitize import one_line

    lines = [_line(asked), f"  asked {asked.at:%Y-%m-%d %H:%M} UTC, open until {asked.expires_at:%Y-%m-%d %H:%M} UTC"]
    if asked.reply:
        lines.append(f"  {one_line(asked.reply.by)} answered: {one_line(asked.reply.text)}")
    return lines
