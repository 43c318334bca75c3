"""Edits that templates suggest, and the candidates made from them."""

from collections.abc import Sequence
from dataclasses import dataclass

SUBJECT_WIDTH = 72  # of a commit
_PART_WIDTHS = (40, 24, 16, 10)


@dataclass(frozen=True, slots=True)
class Replacement:
    """A stretch of the source, by character offsets, and the text that replaces it."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Summary:
    """An imperative sentence about an edit: `form` with a `{}` for each piece of code in `parts`.

    A `{here}` in `form` becomes "in mean()"; a form without one gets the place at its end.
    """

    form: str
    parts: tuple[str, ...] = ()

    def render(self, place: str = "", width: int = SUBJECT_WIDTH) -> str:
        """Return the sentence, with long pieces of code cut so that it fits into `width` where possible."""
        form = self.form if "{here}" in self.form else f"{self.form} {{here}}"
        if not place:
            form = form.replace(" {here}", "")
        text = ""
        for most in _PART_WIDTHS:
            parts = [_quoted(part, most) for part in self.parts]
            text = form.format(*parts, here=f"in {place}")
            if len(text) <= width:
                break
        return text


@dataclass(frozen=True, slots=True)
class Edit:
    """A change that a template suggests: replacements that belong together.

    `weight` is how likely the edit is among those of its template. `borrowed` marks a literal that only the failing
    test mentions: such an edit is often fitted to the test.
    """

    replacements: tuple[Replacement, ...]
    summary: Summary
    weight: float = 1.0
    borrowed: bool = False


@dataclass(frozen=True, slots=True)
class Candidate:
    """A complete new source for one file. `rank` decides when it is tried, `naturalness` when it is shown."""

    path: str
    source: str
    template: str
    line: int
    summary: str
    rank: float
    naturalness: float = 0.0


def say(form: str, *parts: str) -> Summary:
    return Summary(form, parts)


def replace(start: int, end: int, text: str, summary: Summary, weight: float = 1.0) -> Edit:
    return Edit((Replacement(start, end, text),), summary, weight)


def apply(source: str, replacements: Sequence[Replacement]) -> str:
    for replacement in sorted(replacements, key=lambda item: item.start, reverse=True):
        source = source[: replacement.start] + replacement.text + source[replacement.end :]
    return source


def _quoted(code: str, width: int) -> str:
    """Return a piece of code on one line, cut to `width`, in backticks if it contains a space."""
    text = " ".join(code.split())
    if len(text) > width:
        text = f"{text[: width - 3].rstrip()}..."
    return f"`{text}`" if " " in text or not text else text
