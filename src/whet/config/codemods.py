"""`[codemods]`: rewrites that should hold in the whole repository."""

import ast
import re
from textwrap import dedent
from typing import Annotated

from pydantic import AfterValidator, Field, model_validator

from whet.config.section import Section
from whet.config.target import file_pattern

_VARIABLE = re.compile(r"\$([A-Z_][A-Z0-9_]*)")
_MANY = re.compile(r"\$\$\$[A-Z0-9_]*")
_PART = ("@", "elif ", "else", "except", "finally", "case ")  # parts of statements, which are no Python alone


class CodemodPolicy(Section):
    """`[codemods.declared.NAME]`: Python code to search for and the code that replaces it, with metavariables such as `$A`; or
    `libcst`, a codemod class of the project as MODULE:CLASS, with its `arguments`.

    `paths` are globs of the files; tests are never changed. `why` is for the people who decide.
    """

    search: Annotated[str, Field(max_length=2000)] = ""
    replace: Annotated[str, Field(max_length=2000)] = ""
    libcst: Annotated[str, Field(pattern=r"^([A-Za-z_][\w.]*:[A-Za-z_]\w*)?$")] = ""
    arguments: dict[Annotated[str, Field(pattern=r"^[A-Za-z_]\w*$")], str | int | float | bool] = Field(
        default_factory=dict
    )
    timeout_seconds: Annotated[int, Field(ge=1, le=3600)] = 300
    paths: Annotated[tuple[Annotated[str, AfterValidator(file_pattern)], ...], Field(min_length=1)] = (
        "*.py",
        "**/*.py",
    )
    why: str = ""

    @property
    def title(self) -> str:
        """Return the rewrite in words."""
        return f"the codemod `{self.libcst}`" if self.libcst else f"`{self.search}` becomes `{self.replace}`"

    @model_validator(mode="after")
    def _is_a_rewrite(self) -> "CodemodPolicy":
        """Refuse a rewrite that could never be done."""
        if self.libcst:
            if self.search or self.replace:
                raise ValueError("give `libcst`, or `search` and `replace`")
            return self
        if self.arguments:
            raise ValueError("`arguments` are those of a `libcst` class")
        known = frozenset(_VARIABLE.findall(self.search))
        if unknown := [name for name in _VARIABLE.findall(self.replace) if name not in known]:
            raise ValueError(f"`replace` uses ${unknown[0]}, which `search` does not have")
        if self.search.strip() == self.replace.strip():
            raise ValueError("`replace` is what `search` finds")
        for key, text in (("search", self.search), ("replace", self.replace)):
            if not _is_python(text):
                raise ValueError(f"`{key}` is not Python with metavariables such as $A")
        return self


class CodemodsPolicy(Section):
    """`[codemods]`: the declared rewrites. Each package is one proposal, whose proof must show that the behaviour held."""

    declared: dict[str, CodemodPolicy] = Field(default_factory=dict)


def _is_python(text: str) -> bool:
    """True if the text is Python, or begins like a part of a statement, once a name stands for each metavariable."""
    plain = _VARIABLE.sub("name", _MANY.sub("name", dedent(text)))
    if plain.startswith(_PART):
        return True
    try:
        ast.parse(plain)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return bool(plain.strip()) or not text
