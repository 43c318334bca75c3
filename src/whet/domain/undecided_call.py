"""A call whose right answer no test decides: patches that hold answer it differently."""

import ast
import keyword
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from whet.domain.canonical import digest
from whet.domain.sanitize import one_line

BASE = "base"
"""Stands among the patches of an answer for the code without any patch."""
PATCH, VARIANT = "patch", "variant"
"""Stand for the patch under examination until its digest is known, and for a version of it that no test notices."""
RAISE = "raise "
_MOST_SHOWN = 120


@dataclass(frozen=True, kw_only=True)
class PossibleAnswer:
    """One answer to a call, as Python text: a literal, or `raise NAME`.

    `patches` are the digests of the patches that give it, `base` if the code without a patch gives it too, and `variant` if a version of the patch does that no test notices. Text of any
    other form describes an answer that no test can state, such as an object.
    """

    text: str
    patches: tuple[str, ...] = ()

    @property
    def raises(self) -> str:
        """Return the name of the exception; empty if the call returns."""
        name = self.text.removeprefix(RAISE)
        return name if name != self.text and is_exception_name(name) else ""

    @property
    def testable(self) -> bool:
        """True if a test can state this answer."""
        return bool(self.raises) or is_literal(self.text)

    def agrees(self, text: str) -> bool:
        """True if `text` states the same answer: the same exception, or a value that a test takes for equal."""
        if self.text == text:
            return True
        if not (is_literal(self.text) and is_literal(text)):
            return False
        return bool(ast.literal_eval(self.text) == ast.literal_eval(text))


@dataclass(frozen=True, kw_only=True)
class UndecidedCall:
    """A call of `function` in the file `path`, with the different answers that patches which hold give to it.

    `call` is Python text. A person decides which answer is right; the answer becomes a test.
    """

    call: str
    function: str
    path: str
    answers: tuple[PossibleAnswer, ...]

    @property
    def id(self) -> str:
        """Return the same name for the same call, whatever the answers are."""
        return f"q-{digest([self.path, self.call])[:8]}"

    @property
    def testable(self) -> bool:
        """True if a test can make this call: a call of the function with literals alone."""
        try:
            called = ast.parse(self.call, mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return False
        if not isinstance(called, ast.Call) or not isinstance(called.func, ast.Name):
            return False
        values = [*called.args, *(argument.value for argument in called.keywords if argument.arg)]
        is_whole = len(values) == len(called.args) + len(called.keywords)
        return called.func.id == self.function and is_whole and all(is_literal(ast.unparse(value)) for value in values)

    def answer_of(self, patch: str) -> str:
        """Return the answer that the patch with this digest gives; empty if it is not known."""
        return next((answer.text for answer in self.answers if patch in answer.patches), "")

    def given_by(self, answer: PossibleAnswer, patch: str) -> str:
        """Say which code gives an answer, seen from the patch with this digest."""
        if patch in answer.patches:
            return "with the patch"
        if VARIANT in answer.patches:
            return f"with a version that no test notices{', and without the patch' if BASE in answer.patches else ''}"
        return "without the patch" if set(answer.patches) <= {BASE} else "with another patch"

    def among(self, patches: Collection[str]) -> "UndecidedCall | None":
        """Return what these patches leave undecided; None if all of them give the same answer."""
        narrowed = [replace(answer, patches=_kept(answer.patches, patches)) for answer in self.answers]
        with_patches = [answer for answer in narrowed if set(answer.patches) - {BASE}]
        if len(with_patches) < 2:
            return None
        return replace(self, answers=tuple(answer for answer in narrowed if answer.patches))

    def renamed(self, patches: Mapping[str, str]) -> "UndecidedCall":
        """Return the same call with other digests for these patches; patches that are not named are dropped."""
        answers = (
            replace(
                answer, patches=tuple(patches.get(name, name) for name in answer.patches if name in {*patches, BASE})
            )
            for answer in self.answers
        )
        return replace(self, answers=tuple(answers))

    @property
    def sentence(self) -> str:
        """Say what is undecided, and between which answers."""
        start = f"no test says what {shown(self.call)} should be"
        with_patches = [answer for answer in self.answers if set(answer.patches) - {BASE}]
        if len(with_patches) > 1:
            texts = [shown(answer.text) for answer in with_patches]
            if any(VARIANT in answer.patches for answer in with_patches):
                return f"{start}, and a version of the patch that no test notices disagrees: {' or '.join(texts)}"
            return f"{start}, and patches that hold disagree: {', '.join(texts[:-1])} or {texts[-1]}"
        before = [answer for answer in self.answers if answer not in with_patches]
        texts = [*(f"{shown(answer.text)} with the patch" for answer in with_patches)]
        texts += [f"{shown(answer.text)} without it" for answer in before]
        return f"{start}: {', '.join(texts)}"


def _kept(patches: Collection[str], among: Collection[str]) -> tuple[str, ...]:
    return tuple(patch for patch in patches if patch in among or patch == BASE)


def shown(text: str) -> str:
    """Return text from outside on one line, shortened for a sentence."""
    line = one_line(text)
    return line if len(line) <= _MOST_SHOWN else f"{line[: _MOST_SHOWN - 3]}..."


def is_literal(text: str) -> bool:
    """True if the text is a Python literal: numbers, strings, bytes, None, booleans, and containers of these."""
    try:
        ast.literal_eval(text)
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
        return False
    return True


def is_exception_name(name: str) -> bool:
    return name.isidentifier() and not keyword.iskeyword(name)
