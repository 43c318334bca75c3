"""Act on a person's decision of an undecided call: it becomes a test, and the test chooses the patch."""

from collections.abc import Callable
from dataclasses import replace

from whet.cases.from_ruling import ruling_as_test
from whet.domain.approval import Ruling
from whet.domain.build import Build
from whet.domain.patch import Patch
from whet.domain.regression import Regression
from whet.domain.undecided_call import PossibleAnswer, UndecidedCall
from whet.errors import BaseMoved
from whet.kit import Kit

Search = Callable[[tuple[Regression, ...]], Build]
"""Search for a patch again that brings these tests and passes them."""


def decide(built: Build, ruling: Ruling, search: Search, kit: Kit) -> Build:
    """Return the build after a decision: the patches that agree with it, each with the new test.

    Patches whose answer is not known come last; the proof runs the test on them. If every patch disagrees, `search`
    looks for another one.
    """
    patch = built.patch
    call = next((call for call in built.disputed if call.id == ruling.undecided), None)
    if patch is None or call is None:
        return built
    test = _written(ruling, patch.base, kit)
    decided = (*built.decided, test)
    chosen = {rival.digest: _with_test(rival, test, kit) for rival in _agreeing(built, call, ruling.answer)}
    if chosen:
        trusted = (*built.trusted_tests, test.path)
        note = f"{built.note}; {ruling.voter.who} decided that {ruling.sentence}"
        return replace(built.with_patches(chosen), decided=decided, trusted_tests=trusted, note=note)
    build = search(decided)
    if build.patch is None:
        return replace(build, note=f"no patch was found with which {ruling.sentence}: {build.note}")
    trusted = tuple(dict.fromkeys((*build.trusted_tests, *(test.path for test in decided))))
    return replace(build, decided=decided, trusted_tests=trusted)


def _agreeing(built: Build, call: UndecidedCall, answer: str) -> list[Patch]:
    """Return the patches that give an answer, best first, then those whose answer is not known; none if none gives it."""
    answers = {patch.digest: call.answer_of(patch.digest) for patch in built.patches}
    agreeing = [
        patch
        for patch in built.patches
        if answers[patch.digest] and PossibleAnswer(text=answers[patch.digest]).agrees(answer)
    ]
    unknown = [patch for patch in built.patches if not answers[patch.digest]]
    return [*agreeing, *unknown] if agreeing else []


def _written(ruling: Ruling, base: str, kit: Kit) -> Regression:
    """Return the test of a decision. It is red if the base fails it, and held if the base passes it already."""
    source, tree = kit.git.read(base, ruling.path), kit.git.tree_of(base)
    if source is None:
        raise BaseMoved(f"{ruling.path} is gone from {base[:10]}")
    paths = [entry.path for entry in kit.git.entries(tree)]
    test = ruling_as_test(ruling, source.decode(errors="replace"), paths, kit.is_test, kit.policy.tests.runner)
    with_test = kit.git.with_files(tree, {test.path: test.text.encode()})
    passed = kit.suite.run(with_test, test.red).passed
    return replace(test, red=(), held=test.red) if set(test.red) <= set(passed) else test


def _with_test(patch: Patch, test: Regression, kit: Kit) -> Patch:
    tree = kit.git.with_files(patch.tree, {test.path: test.text.encode()})
    return kit.git.patch(patch.base, tree, patch.summary)
