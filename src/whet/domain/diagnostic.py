"""Findings of the project's own linter and type checkers."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Diagnostic:
    """One finding of a linter or a type checker. `level` is error, warning or note."""

    tool: str
    rule: str
    path: str
    line: int
    message: str
    level: str = "error"

    @property
    def key(self) -> tuple[str, str, str, str]:
        """Return what stays the same when the line moves."""
        return self.tool, self.rule, self.path, self.message

    @property
    def text(self) -> str:
        return f"{self.tool} {self.rule}: {self.path}, line {self.line}: {self.message}"


@dataclass(frozen=True, kw_only=True)
class DiagnosticReport:
    """Everything that one tool finds in one tree, and what it left out."""

    tree: str
    tool: str
    findings: tuple[Diagnostic, ...]
    skipped: tuple[str, ...] = ()
