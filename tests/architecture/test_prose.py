"""Floors for the language of docstrings. The aim is that each sentence is understood at first reading."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import whet

SOURCE = Path(whet.__file__).parent
WH_OPENING = re.compile(r"(What|Whether|Which|Where|Who|Whoever|Whatever|When|How|Why)\b")
# The imperative verbs that function docstrings may begin with. Add one where a plain sentence needs it.
VERBS = set((Path(__file__).parent / "verbs.txt").read_text().split())


def docstrings() -> Iterator[tuple[ast.AST, str]]:
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            if text := ast.get_docstring(node):
                yield node, text


def test_few_docstrings_open_with_a_wh_word() -> None:
    texts = [text for _, text in docstrings()]
    riddles = [text for text in texts if WH_OPENING.match(text)]
    assert len(riddles) < 0.005 * len(texts), riddles


def test_function_docstrings_open_with_a_verb() -> None:
    texts = [text for node, text in docstrings() if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    verbs = [text for text in texts if re.split(r"\W", text, maxsplit=1)[0].lower() in VERBS]
    assert len(verbs) >= 0.85 * len(texts), f"{len(verbs)} of {len(texts)}"
