"""Turn a language model's answer into a test file that shows a defect, together with the failure that it names in advance."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from textwrap import fill

from whet.cases.from_suggestion import module_name
from whet.cases.plain_test import NotPlain, PlainTest, definitions, plain_test
from whet.domain.canonical import digest
from whet.domain.file_review import ReviewedDefect
from whet.domain.regression import Regression
from whet.domain.sanitize import one_line
from whet.domain.suite import Failure

RUNNERS = ("pytest", "unittest")
_FAILS = re.compile(r"^[^\w\n]*FAILS WITH[^\w\n]+([A-Za-z_]\w*) *:?[ \t]*(.*)$", re.MULTILINE)
_BLOCK = re.compile(r"^```(?:python|py)?[ \t]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
_ASSERTED = ("AssertionError", "Failed")
_LEAST_WORDS = 8


@dataclass(frozen=True)
class StatedTest:
    """A test file, and the failure that its author named before it ran."""

    regression: Regression
    exception: str
    message: str

    def why_not(self, failure: Failure | None, path: str) -> str:
        """Return why a failure is not the stated one; empty if it is. `path` is the file with the defect."""
        if failure is None:
            return "it failed without saying how"
        stated = f"{self.exception}: {self.message}" if self.message else self.exception
        if failure.exception != self.exception or self.message not in failure.message:
            return f"it was to fail with {stated!r}, and it failed with {failure.exception}: {failure.message[:200]}"
        if self.exception in _ASSERTED:
            return ""
        innermost = failure.frames[-1][0] if failure.frames else ""
        if innermost == self.regression.path or path not in [frame[0] for frame in failure.frames]:
            return f"{failure.exception} comes from the test itself, not from {path}"
        return ""


def stated_test(
    answer: str, defect: ReviewedDefect, sources: Mapping[str, str], folder: str, runner: str
) -> StatedTest:
    """Return the test in an answer. Raise NotPlain, with a sentence for the model, if it cannot be used.

    `sources` are the files of the project that are no tests, `folder` is the one for tests.
    """
    named, block = _FAILS.search(answer), _BLOCK.search(answer)
    if named is None or block is None:
        raise NotPlain("the answer needs a line `FAILS WITH: Exception: words` and one fenced Python block")
    exception, message = named[1], named[2].strip().strip("`\"'").strip()
    modules = {module_name(path): path for path in sources}
    test = plain_test(
        block[1],
        lambda module: definitions(sources[modules[module]]) if module in modules else frozenset(),
        runner,
    )
    _require_stated(test, defect, exception, message)
    path = f"{folder}test_whet_{digest([defect.path, defect.function, defect.reason])[:8]}.py"
    text = f"{_docstring(defect)}\n\n{test.text}"
    return StatedTest(Regression(path=path, text=text, red=(f"{path}::{test.name}",)), exception, message)


def _require_stated(test: PlainTest, defect: ReviewedDefect, exception: str, message: str) -> None:
    """Refuse a test that does not call the code in question, or whose failure would say nothing."""
    if module_name(defect.path) not in test.calls:
        raise NotPlain(f"the test calls nothing of {module_name(defect.path)}")
    if exception == "AssertionError" and not any(
        message in text for text in test.texts if len(message) >= _LEAST_WORDS
    ):
        raise NotPlain(
            f"for an AssertionError, give the assertion a message of at least {_LEAST_WORDS} characters and name it"
        )
    if exception == "Failed" and "DID NOT RAISE" not in message:
        raise NotPlain("`Failed` is only for `Failed: DID NOT RAISE`")


def _docstring(defect: ReviewedDefect) -> str:
    reason = one_line(defect.reason).replace("\\", "/").replace('"', "'")
    return f'"""Written by {defect.model}, which read {defect.path}.\n\n{fill(reason, 100)}\n"""'
