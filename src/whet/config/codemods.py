"""`[codemods]`: rewrites that should hold in the whole repository."""

from typing import Annotated

from pydantic import Field

from whet.config.section import Section


class CodemodPolicy(Section):
    """`[codemods.declared.NAME]`: Python code to search for and the code that replaces it, with metavariables such as `$A`.

    `paths` are globs of the files; tests are never changed. `why` is for the people who decide.
    """

    search: Annotated[str, Field(min_length=1, max_length=2000)]
    replace: Annotated[str, Field(max_length=2000)]
    paths: tuple[str, ...] = ("*.py", "**/*.py")
    why: str = ""


class CodemodsPolicy(Section):
    """`[codemods]`: the declared rewrites. Each package is one proposal, whose proof must show that the behaviour held."""

    declared: dict[str, CodemodPolicy] = Field(default_factory=dict)
