"""The conventions of a repository in a few words, derived from its source, and what its guide for contributors says."""

import ast
from collections.abc import Mapping
from statistics import quantiles

from whet.conversation.prompt import Quotation, cut
from whet.pyast.functions import Function

GUIDES = ("AGENTS.md", "CONTRIBUTING.md", "CONTRIBUTING.rst")
_MOST_GUIDE_LINES = 40
_STANDARD_LENGTHS = (79, 88, 99, 100, 120)


def conventions(sources: Mapping[str, str], guides: Mapping[str, str]) -> tuple[str, list[Quotation]]:
    """Return a sentence about the source, and quotations of the guides, which are text from outside."""
    text = "\n".join(sources.values())
    facts = [_quotes(text), _length(text), _hints(sources)]
    quotations = [
        Quotation.of(f"{path}, as a hint to the style", cut(guide, _MOST_GUIDE_LINES)) for path, guide in guides.items()
    ]
    return f"The source {', '.join(filter(None, facts))}.", quotations[:1]


def _quotes(text: str) -> str:
    return f"uses {'double' if text.count(chr(34)) >= text.count(chr(39)) else 'single'} quotes"


def _length(text: str) -> str:
    lengths = [len(line) for line in text.split("\n") if line]
    if len(lengths) < 20:
        return ""
    usual = quantiles(lengths, n=100)[98]
    return f"keeps lines below {next((limit for limit in _STANDARD_LENGTHS if usual <= limit), 120)} characters"


def _hints(sources: Mapping[str, str]) -> str:
    hinted = total = 0
    for source in sources.values():
        try:
            tree = ast.parse(source)
        except (SyntaxError, ValueError, RecursionError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, Function):
                total += 1
                hinted += node.returns is not None
    if not total:
        return ""
    return "has type hints" if hinted * 2 > total else "has no type hints"
