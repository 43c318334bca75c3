"""Swap two branches tested in the wrong order: `if a: ... elif b: ...` -> `if b: ... elif a: ...`."""

import ast
from collections.abc import Iterator

from whet.phases.propose.repair.candidate import Edit, Replacement, say
from whet.phases.propose.repair.module import Module
from whet.phases.propose.repair.scope import Scope
from whet.phases.propose.repair.templates.template import Template


def swap_branches(node: ast.If, scope: Scope) -> Iterator[Edit]:
    """Swap the condition and body of an `if` with those of its `elif`."""
    module = scope.module
    match node.orelse:
        case [ast.If() as other] if module.source.startswith("elif", module.span(other)[0]):
            blocks = _block(node, module), _block(other, module)
        case _:
            return
    tests = module.span(node.test), module.span(other.test)
    spans = [(tests[0], tests[1]), (blocks[0], blocks[1])]
    replacements = [
        Replacement(*here, module.source[there[0] : there[1]]) for pair in spans for here, there in (pair, pair[::-1])
    ]
    summary = say("Test {} before {}", module.text(other.test), module.text(node.test))
    yield Edit(tuple(replacements), summary, 0.9)


def _block(node: ast.If, module: Module) -> tuple[int, int]:
    """Return the offsets of the lines below the condition, with the comments before them."""
    last = node.body[-1].end_lineno or node.body[-1].lineno
    first = (node.test.end_lineno or node.lineno) + 1
    return module.line_start(min(first, node.body[0].lineno)), module.line_end(last)


TEMPLATES = [Template("branch", 0.6, (ast.If,), swap_branches)]
