"""Find out whether a clone of a mended bug fails as the bug did, by calls in the sandbox."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from whet.cases.from_clone import Called, callable_at, clone_as_test, command, read_calls
from whet.domain.fix_example import FixExample
from whet.domain.regression import Regression
from whet.domain.suite import Failure
from whet.kit import Kit
from whet.knowledge.rewrite import AppliedRule

_SECONDS = 30.0
_NOT_SHOWN = ("", "AssertionError", "Failed", "TimeoutError")  # a wrong value, or a limit of ours


@dataclass(frozen=True)
class RedClone:
    """The test file that shows the mistake, and how its tests fail."""

    regression: Regression
    failures: dict[str, Failure] = field(default_factory=dict)


def red_clone(kit: Kit, tree: str, path: str, source: str, hit: AppliedRule, example: FixExample) -> RedClone | None:
    """Return the test of a clone; None if no plain call ends with the exception that the mended bug ended with.

    The function is called with the code as it is and with the fix. What it answers with the fix is what the test expects.
    """
    exception = example.exception.rpartition(".")[2]
    target = callable_at(source, hit.first_line) if exception not in _NOT_SHOWN else None
    if target is None or kit.policy.tests.runner != "pytest":
        return None
    function, arguments = target
    failing = [
        call
        for call in _call(kit, tree, path, function, arguments)
        if call.fails_at(exception, path, hit.first_line, hit.last_line)
    ]
    if not failing:
        return None
    fixed = kit.git.with_files(tree, {path: hit.source.encode()})
    mended = _call(kit, fixed, path, function, [call.arguments for call in failing])
    paths = [entry.path for entry in kit.git.entries(tree)]
    regression = clone_as_test(path, function, mended, example.path, paths, kit.is_test)
    if regression is None:
        return None
    first = failing[0]
    failure = Failure(
        exception=first.exception,
        message=first.message,
        frames=((path, hit.first_line, function),),
        text=f"{function}({first.arguments}) raises {first.exception}: {first.message}",
    )
    return RedClone(regression, dict.fromkeys(regression.red, failure))


def _call(kit: Kit, tree: str, path: str, function: str, arguments: Sequence[str]) -> list[Called]:
    finished = kit.sandbox.run(kit.suite.job(tree, command(path, function, arguments), _SECONDS))
    return read_calls(finished.output, arguments)
