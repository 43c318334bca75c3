"""A small fix that passed its proof, kept as an example of a pattern."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class FixExample:
    """One changed piece of code before and after a fix, with the failure that it mended.

    `core_before` and `core_after` are the smallest changed expression or statement, `before` and `after` the statement
    around it. `variables` are the names in them that are local to the function. `exception` and `failure` describe the
    failure. `imported_from` names the export file of another repository; empty for a fix of this repository.
    """

    core_before: str
    core_after: str
    before: str
    after: str
    variables: tuple[str, ...]
    exception: str
    failure: str
    path: str
    function: str
    proposal: str
    engine: str
    imported_from: str = ""
