"""A rule looks at one call; a phrase is a rule that is only data."""

from collections.abc import Callable, Iterator

from whet.guard.shell.model.call import Call
from whet.guard.shell.model.harm import Harm

RuleHit = tuple[Harm, str] | tuple[Harm, str, bool]  # with True: a person must look
Rule = Callable[[Call], Iterator[RuleHit]]


def phrase(pattern: str, harm: Harm, reason: str) -> Rule:
    """`volume rm|prune` are words that begin the operands; `* delete` is a word anywhere; `-f|--force` an option.

    Every part must be there. A short option may stand in a cluster.
    """
    parts = pattern.split()
    flags = [part.split("|") for part in parts if part.startswith("-") and part != "-"]
    words = [frozenset(part.split("|")) for part in parts if not part.startswith("-")]
    anywhere = words[:1] == [frozenset("*")]

    def rule(call: Call) -> Iterator[RuleHit]:
        options = call.options
        said = options.operands
        if anywhere:
            fits = all(not wanted.isdisjoint(said) for wanted in words[1:])
        else:
            fits = len(said) >= len(words) and all(word in wanted for word, wanted in zip(said, words, strict=False))
        if fits and all(_any_of(call, choices) for choices in flags):
            yield harm, reason

    return rule


def _any_of(call: Call, choices: list[str]) -> bool:
    options = call.options
    for choice in choices:
        if choice.startswith("--"):
            if options.has("", choice[2:]):
                return True
        elif (len(choice) == 2 and choice[1] in options.shorts) or choice in call.args:
            return True
    return False


def always(harm: Harm, reason: str) -> Rule:
    def rule(call: Call) -> Iterator[RuleHit]:
        if call.args not in (["--help"], ["--version"]):
            yield harm, reason

    return rule
