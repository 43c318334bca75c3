"""`whet approve`: say yes at the open gate of a proposal."""

from typing import Annotated

import typer

from whet.cli.commands.shared import Json, Which, Why


def approve(
    which: Which,
    digest: Annotated[str, typer.Option("--digest", help="The beginning of the digest that you approve.")] = "",
    why: Why = "",
    as_json: Json = False,
) -> int:
    """Say yes at the open gate of a proposal, and continue with it."""
    from whet.cli.follow import answer_and_follow
    from whet.domain.approval import Answer

    return answer_and_follow(which, Answer.APPROVED, why, digest, as_json=as_json)
