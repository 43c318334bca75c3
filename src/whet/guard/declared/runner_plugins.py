"""References in conftest.py: the plug-ins that `pytest_plugins` names."""

import ast
from collections.abc import Iterator

from whet.guard.declared.reference import Reference, Role

_NAME = "pytest_plugins"


def plugin_references(manifest: str, text: str) -> Iterator[Reference]:
    """Yield the modules that a conftest.py names as plug-ins; none if it cannot be parsed."""
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError):
        return
    for node in body:
        if not isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign) or node.value is None:
            continue
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        if any(isinstance(inner, ast.Name) and inner.id == _NAME for target in targets for inner in ast.walk(target)):
            for inner in ast.walk(node.value):
                if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
                    yield Reference(Role.TEST_PLUGIN, inner.value, manifest, is_module=True)
