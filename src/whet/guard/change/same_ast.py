import ast

from whet.pyast.functions import docstrings


def program_of(text: str) -> str | None:
    """What runs of a Python text, without what is only said; None where it cannot be read, and that equals nothing."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return None
    for said in docstrings(tree):
        if isinstance(said, ast.Constant):
            said.value = ""
    return ast.dump(tree)


def same_program(old: str, new: str) -> bool:
    before = program_of(old)
    return before is not None and before == program_of(new)
