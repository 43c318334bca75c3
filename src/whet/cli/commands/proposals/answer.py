"""`whet answer`: decide a call that the tests leave undecided."""

from typing import Annotated

import typer

from whet.cli.commands.shared import As, Json, Key, ProposalId, Why


def answer(
    proposal: ProposalId,
    choice: Annotated[
        int | None,
        typer.Argument(metavar="NUMBER", help="The number of the right answer, as `whet show` lists them."),
    ] = None,
    value: Annotated[
        str | None, typer.Option("--value", metavar="TEXT", help="Another answer: a Python literal, or raise NAME.")
    ] = None,
    why: Why = "",
    key: Key = None,
    who: As = "",
    digest: Annotated[
        str, typer.Option("--digest", help="Refuse if the evidence no longer has a digest that begins so.")
    ] = "",
    as_json: Json = False,
) -> int:
    """Say what a call should return where patches disagree.

    The answer becomes a test that ships with the fix, chooses the patch, and is proved with it. It approves nothing: the
    apply gate asks afterwards.
    """
    from whet.app.approvals.rulings import chosen_answer
    from whet.cli.ask import AnswerOptions, is_interactive
    from whet.cli.ask_undecided import take_answer
    from whet.cli.commands.shared import find_proposal
    from whet.cli.follow import follow_answer, follow_question

    project, view = find_proposal(proposal)
    if choice is None and value is None and is_interactive() and not as_json:
        return follow_question(project, view)
    text = chosen_answer(project, view, choice, value)
    options = AnswerOptions(why=why, who=who, key=key, digest=digest, quiet=as_json)
    receipt = take_answer(project, view, text, options)
    return follow_answer(project, view.proposal.id, receipt, as_json=as_json)
