"""Doctests: tests that live in the docstrings of the code, or in text files."""

import ast
import contextlib
import doctest
from collections import Counter

from whet.domain.suite import SuiteReport
from whet.phases.validate.integrity.test_ids import split_id

_TEXT_SUFFIXES = (".txt", ".rst", ".md", ".markdown", ".ipynb")


def is_doctest(test: str, report: SuiteReport) -> bool:
    """True if the runner reported the test as a doctest, or its id names something in a text file.

    Plug-ins that test the examples of text files report them as items of their own. The id of a JUnit file begins with a
    class name, `shop.test_price::test_discount`, which is no path.
    """
    path, name = split_id(test)
    in_text_file = path.endswith(_TEXT_SUFFIXES) or ("/" in path and not path.endswith(".py"))
    return test in report.doctests or (bool(name) and in_text_file)


def lost_example(path: str, old: str, new: str) -> str:
    """Return an example of `old` that `new` lacks, expects another output of, or skips; empty if all are kept."""
    lost = _examples(path, old) - _examples(path, new)
    return next((source.strip() for source, _ in lost), "")


def examples_as_code(path: str, text: str) -> list[ast.AST]:
    """Parse the examples and their expected outputs; those that are not Python are left out."""
    parsed: list[ast.AST] = []
    for source, output in _examples(path, text):
        for part in (source, output):
            with contextlib.suppress(SyntaxError, ValueError, RecursionError):
                parsed.append(ast.parse(part))
    return parsed


def _examples(path: str, text: str) -> "Counter[tuple[str, str]]":
    """Count the examples, each as its source and its expected output."""
    examples: Counter[tuple[str, str]] = Counter()
    if ">>>" not in text:
        return examples
    try:
        for part in _texts(path, text):
            parsed = doctest.DocTestParser().get_examples(part)
            examples.update((example.source, example.want) for example in parsed)
    except (SyntaxError, ValueError, RecursionError):
        return Counter()
    return examples


def _texts(path: str, text: str) -> list[str]:
    """Return the texts that may hold examples: every string of a Python file, the whole of any other file."""
    if not path.endswith(".py"):
        return [text]
    constants = (node.value for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant))
    return [value for value in constants if isinstance(value, str)]
