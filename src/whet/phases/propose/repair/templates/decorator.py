"""Add a missing decorator or remove a wrong one: `def f(x):` -> `@staticmethod` above `def f(x):`."""

import ast
from collections import Counter
from collections.abc import Iterator

from whet.phases.propose.repair.candidate import Edit, replace, say
from whet.phases.propose.repair.scope import Scope
from whet.phases.propose.repair.templates.template import Template
from whet.pyast.functions import Function

_MOST = 8


def add_decorator(node: Function, scope: Scope) -> Iterator[Edit]:
    """Add a decorator that other functions of the file have; to a method also the usual built-in ones."""
    module = scope.module
    indent = module.indent(node)
    if indent is None:
        return
    own = {module.text(decorator) for decorator in node.decorator_list}
    in_class = isinstance(module.parents.get(node), ast.ClassDef)
    used = Counter(text for owner, text, is_method in module.decorators if owner is not node and is_method == in_class)
    usual = ("staticmethod", "classmethod", "property") if in_class else ()
    start = module.line_start(node.lineno)
    for text in list(dict.fromkeys((*(text for text, _ in used.most_common(_MOST)), *usual))):
        if text not in own and not text.endswith((".setter", ".deleter", ".getter")):
            summary = say("Add the decorator {}", f"@{text}")
            yield replace(start, start, f"{indent}@{text}{module.newline}", summary, 0.8)


def drop_decorator(node: Function, scope: Scope) -> Iterator[Edit]:
    for decorator in node.decorator_list:
        start = scope.module.line_start(decorator.lineno)
        end = scope.module.line_end(decorator.end_lineno or decorator.lineno)
        summary = say("Remove the decorator {}", f"@{scope.module.text(decorator)}")
        yield replace(start, end, "", summary, 0.3)


TEMPLATES = [
    Template("decorator", 0.4, Function.__args__, add_decorator),
    Template("decorator", 0.4, Function.__args__, drop_decorator),
]
