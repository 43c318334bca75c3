"""`whet prove` tells findings about lines from findings about paths by CONTENT_CODES, so it must be complete."""

import ast
from collections.abc import Iterator
from pathlib import Path

from whet.guard.content import rules
from whet.guard.content.rules import CONTENT_CODES

FOLDER = Path(rules.__file__).parent


def constants(tree: ast.Module) -> dict[str, str]:
    values: dict[str, str] = {}
    for node in tree.body:
        if not isinstance(node, ast.Assign):
            continue
        for target in node.targets:
            pairs = (
                zip(target.elts, node.value.elts, strict=True)
                if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple)
                else [(target, node.value)]
            )
            for name, value in pairs:
                if isinstance(name, ast.Name) and isinstance(value, ast.Constant) and isinstance(value.value, str):
                    values[name.id] = value.value
    return values


def codes(path: Path) -> Iterator[str]:
    tree = ast.parse(path.read_text())
    named = constants(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Remark":
            code = node.args[2]
            if isinstance(code, ast.Constant):
                yield str(code.value)
            else:
                yield named.get(ast.unparse(code), f"{path.name}: {ast.unparse(code)}")


def test_content_codes_lists_exactly_the_codes_of_the_rules() -> None:
    used = {code for path in FOLDER.rglob("*.py") for code in codes(path)}
    assert used == CONTENT_CODES
