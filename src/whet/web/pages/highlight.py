"""Colours of source code in a diff, by Pygments, for the languages that whet changes."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from markupsafe import Markup, escape

from whet.domain.sanitize import one_line

if TYPE_CHECKING:
    from whet.web.pages.diff_view import DiffLine

_LEXERS = {
    ".py": "python", ".pyi": "python", ".toml": "toml", ".yml": "yaml", ".yaml": "yaml", ".json": "json", ".ini": "ini",
    ".cfg": "ini", ".md": "markdown", ".sh": "bash",
}  # fmt: skip
_LONGEST_LINE = 500  # characters; a lexer may take very long for one endless line


def highlight(path: str, lines: "Sequence[DiffLine]", *, coloured: bool) -> list[Markup]:
    """Return the code of each line as HTML, with control characters as escapes. Only spans with a class are added."""
    shown = ["\t".join(one_line(part) for part in line.text.split("\t")) for line in lines]
    lexer = _lexer(path) if coloured and all(len(text) <= _LONGEST_LINE for text in shown) else None
    if lexer is None:
        return [escape(text) for text in shown]
    result = [Markup()] * len(lines)
    for side in (("same", "removed"), ("same", "added")):
        indexes = [index for index, line in enumerate(lines) if line.kind in side]
        for index, html in zip(indexes, _coloured(lexer, [shown[index] for index in indexes]), strict=True):
            result[index] = html
    notes = [index for index, line in enumerate(lines) if line.kind == "note"]
    for index in notes:
        result[index] = escape(shown[index])
    return result


def _lexer(path: str) -> Any:
    suffix = path[path.rfind(".") :] if "." in path else ""
    if suffix not in _LEXERS:
        return None
    from pygments.lexers import get_lexer_by_name

    return get_lexer_by_name(_LEXERS[suffix], stripnl=False, ensurenl=False)


def _coloured(lexer: Any, texts: Sequence[str]) -> list[Markup]:
    """Return lines of one side of a hunk with spans. A text that the lexer would change is returned without colours."""
    lines: list[list[str]] = [[]]
    for token, value in lexer.get_tokens("\n".join(texts)):
        css = _class_of(token)
        for number, part in enumerate(value.split("\n")):
            if number:
                lines.append([])
            if part:
                html = str(escape(part))
                lines[-1].append(f'<span class="{css}">{html}</span>' if css else html)
    if len(lines) != max(len(texts), 1):
        return [escape(text) for text in texts]
    return [Markup("".join(parts)) for parts in lines][: len(texts)]  # noqa: S704 - every part is escaped above


def _class_of(token: Any) -> str:
    from pygments.token import Comment, Keyword, Name, Number, Operator, String

    families = (
        (Comment, "t-comment"), (Keyword, "t-keyword"), (Operator.Word, "t-keyword"), (String, "t-string"),
        (Number, "t-number"), (Name.Function, "t-name"), (Name.Class, "t-name"), (Name.Tag, "t-name"),
    )  # fmt: skip
    return next((css for family, css in families if token in family), "")
