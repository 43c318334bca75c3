"""The type of a rule, and two ways to make a rule from a table row: `phrase` and `always`."""

from collections.abc import Callable, Iterator

from whet.guard.shell.model.call import Call
from whet.guard.shell.model.harm import Harm

RuleHit = tuple[Harm, str] | tuple[Harm, str, bool]  # with True: raised to a person instead of refused
Rule = Callable[[Call], Iterator[RuleHit]]


def phrase(pattern: str, harm: Harm, reason: str) -> Rule:
    """Return a rule that hits if the arguments match a pattern.

    `volume rm|prune` matches operands that begin with these words, `* delete` a word among the operands, `-f|--force`
    an option, also in a cluster. All parts must match.
    """
    parts = pattern.split()
    options = [part.split("|") for part in parts if part.startswith("-") and part != "-"]
    words = [frozenset(part.split("|")) for part in parts if not part.startswith("-")]
    anywhere = words[:1] == [frozenset("*")]

    def rule(call: Call) -> Iterator[RuleHit]:
        operands = call.options.operands
        if anywhere:
            matches = all(not choices.isdisjoint(operands) for choices in words[1:])
        else:
            matches = len(operands) >= len(words) and all(
                operand in choices for operand, choices in zip(operands, words, strict=False)
            )
        if matches and all(any(_has_option(call, option) for option in choices) for choices in options):
            yield harm, reason

    return rule


def _has_option(call: Call, option: str) -> bool:
    if option.startswith("--"):
        return call.options.has("", option[2:])
    return (len(option) == 2 and option[1] in call.options.shorts) or option in call.args


def always(harm: Harm, reason: str) -> Rule:
    """Return a rule that hits for every call but `--help` and `--version`."""

    def rule(call: Call) -> Iterator[RuleHit]:
        if call.args not in (["--help"], ["--version"]):
            yield harm, reason

    return rule
