"""A decorator that its neighbours have and a function lacks, or the other way round."""

import ast
from collections import Counter
from collections.abc import Iterator

from whet.phases.propose.repair.candidate import Edit, replace
from whet.phases.propose.repair.module import Function, Scope
from whet.phases.propose.repair.templates.template import Template

_MOST = 8


def added(node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope) -> Iterator[Edit]:
    module = scope.module
    indent = module.indent(node)
    if indent is None:
        return
    own = {module.text(decorator) for decorator in node.decorator_list}
    in_class = isinstance(module.parents.get(node), ast.ClassDef)
    used = Counter(text for owner, text, beside in module.decorators if owner is not node and beside == in_class)
    usual = ("staticmethod", "classmethod", "property") if in_class else ()
    start = module.line_start(node.lineno)
    for text in list(dict.fromkeys((*(text for text, _ in used.most_common(_MOST)), *usual))):
        if text not in own and not text.endswith((".setter", ".deleter", ".getter")):
            yield replace(start, start, f"{indent}@{text}{module.newline}", f"decorated with `{text}`", 0.8)


def dropped(node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope) -> Iterator[Edit]:
    for decorator in node.decorator_list:
        start = scope.module.line_start(decorator.lineno)
        end = scope.module.line_end(decorator.end_lineno or decorator.lineno)
        yield replace(start, end, "", f"not decorated with `{scope.module.text(decorator)}`", 0.3)


TEMPLATES = [
    Template("decorator", 0.4, Function.__args__, added),
    Template("decorator", 0.4, Function.__args__, dropped),
]
