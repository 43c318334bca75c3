"""`whet reject`: say no at the open gate of a proposal."""

from whet.cli.commands.shared import Json, Which, Why


def reject(which: Which, why: Why, as_json: Json = False) -> int:
    """Say no at the open gate of a proposal; it is not proposed again."""
    from whet.cli.follow import answer_and_follow
    from whet.domain.approval import Answer
    from whet.errors import UsageError

    if not why.strip():
        raise UsageError("say why not: the reason is remembered", f'whet reject {which} --why "..."')
    return answer_and_follow(which, Answer.REJECTED, why, "", as_json=as_json)
