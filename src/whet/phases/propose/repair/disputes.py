"""Find the calls that patches which passed answer differently, so that a person can say which answer is right."""

import ast
import doctest
import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from whet.domain.patch import Patch
from whet.domain.redact import redact
from whet.domain.undecided_call import RAISE, PossibleAnswer, UndecidedCall, is_exception_name
from whet.phases.propose.repair.candidate import Candidate
from whet.phases.propose.repair.rank_by_behaviour import BehaviourRanking
from whet.pyast.functions import Function

_MOST_ASKED = 3
_ROUNDING = 1e-12
_NO_ANSWER = ("too slow", "")
_Groups = list[list["ObservedPatch"]]


@dataclass(frozen=True)
class ObservedPatch:
    """A patch that passed, by its digest, and the answers of the function that it edits, by call."""

    digest: str
    path: str
    function: str
    answers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class ReferenceAnswers:
    """The answers of the code without any patch, and those of the best patch when it was asked again."""

    base: Mapping[str, str] = field(default_factory=dict)
    again: Mapping[str, str] = field(default_factory=dict)


def disputes(
    patches: Mapping[Candidate, Patch],
    avoid: frozenset[str],
    ranking: BehaviourRanking,
    reference: ReferenceAnswers,
    sources: Mapping[str, str],
    *,
    beyond_tests: bool,
) -> tuple[list[Patch], tuple[UndecidedCall, ...]]:
    """Return the patches that no docstring contradicts, best first, and the calls that they answer differently.

    Patches in `avoid` are left out. A patch with a red flag takes part in no dispute. Only calls that tests make count,
    unless `beyond_tests` is true: for inputs that nobody uses, nearly every fix has a rival that answers differently.
    """
    fresh = {candidate: patch for candidate, patch in patches.items() if patch.digest not in avoid}
    behaviours = {candidate: ranking.behaviour(candidate) for candidate in fresh}
    observed = [
        ObservedPatch(fresh[candidate].digest, candidate.path, behaviour.function, behaviour.values)
        for candidate, behaviour in behaviours.items()
        if not behaviour.red_flag
    ]
    kept = agreeing_with_docstrings(observed, sources)
    against = {patch.digest for patch in observed if patch not in kept}
    standing = [patch for patch in fresh.values() if patch.digest not in against]
    reached = frozenset[str]().union(*(behaviour.reached for behaviour in behaviours.values()))
    return standing, disputed_calls(kept, reference, sources, None if beyond_tests else reached)


def disputed_calls(
    patches: Sequence[ObservedPatch],
    reference: ReferenceAnswers,
    sources: Mapping[str, str],
    among: Collection[str] | None = None,
) -> tuple[UndecidedCall, ...]:
    """Return the calls to ask about, until their answers tell all patches apart or enough is asked.

    A call counts if the best patch changes its answer: a call that the best patch leaves as it was needs no decision.
    Answers that change from run to run say nothing. Calls that a test can make come first, then those that the tests
    made themselves. `sources` are the files without a patch, by path. `among` limits the calls.
    """
    best = patches[0] if patches else None
    patches = [patch for patch in patches if best and (patch.path, patch.function) == (best.path, best.function)]
    if best is None or len(patches) < 2:
        return ()
    calls = [
        call
        for call, answer in best.answers.items()
        if reference.base.get(call) != answer == reference.again.get(call, answer) and (among is None or call in among)
    ]
    disputes = [_undecided(call, patches) for call in calls]
    disputes.sort(key=lambda dispute: not _is_askable(dispute, sources.get(best.path, "")))
    groups: _Groups = [list(patches)]
    questions: list[UndecidedCall] = []
    for dispute in disputes:
        finer = [part for group in groups for part in _split(group, dispute.call)]
        if len(finer) > len(groups) and len(questions) < _MOST_ASKED:
            groups = finer
            questions.append(dispute)
    return tuple(questions)


def _undecided(call: str, patches: Sequence[ObservedPatch]) -> UndecidedCall:
    best = patches[0]
    answers: dict[str, list[str]] = {}
    for patch in patches:
        if answer := _answer(patch, call):
            answers.setdefault(_same(answer, answers), []).append(patch.digest)
    possible = [PossibleAnswer(text=text, patches=tuple(digests)) for text, digests in answers.items()]
    return UndecidedCall(call=call, function=best.function, path=best.path, answers=tuple(possible))


def _split(group: Sequence[ObservedPatch], call: str) -> _Groups:
    """Divide patches by their answer to a call. A patch whose answer is not known stays with the first of the others."""
    parts: dict[str, list[ObservedPatch]] = {}
    unknown = [patch for patch in group if not _answer(patch, call)]
    for patch in group:
        if answer := _answer(patch, call):
            parts.setdefault(_same(answer, parts), []).append(patch)
    divided = list(parts.values()) or [[]]
    divided[0] += unknown
    return divided


def _same(answer: str, known: Collection[str]) -> str:
    """Return the known answer that this one agrees with, such as `0` for `0.0`; the answer itself if there is none.

    Numbers that differ in their last digits agree too: no person knows which rounding is right.
    """
    return next(
        (text for text in known if PossibleAnswer(text=text).agrees(answer) or _is_rounding(text, answer)), answer
    )


def _is_rounding(left: str, right: str) -> bool:
    """True if both texts are floating-point numbers that differ by rounding alone."""
    try:
        values = [ast.literal_eval(text) for text in (left, right)]
    except (ValueError, SyntaxError, RecursionError):
        return False
    return all(type(value) is float for value in values) and math.isclose(*values, rel_tol=_ROUNDING)


def _answer(patch: ObservedPatch, call: str) -> str:
    answer = patch.answers.get(call, "")
    return "" if answer in _NO_ANSWER else answer


def _is_askable(dispute: UndecidedCall, source: str) -> bool:
    """True if a test can make the call and state every answer, and the call holds no secret that is redacted."""
    texts = [dispute.call, *(answer.text for answer in dispute.answers)]
    known = any(function.name == dispute.function for function in _top_level(source))
    safe = all(redact(text) == text for text in texts)
    return known and safe and dispute.testable and all(answer.testable for answer in dispute.answers)


def agreeing_with_docstrings(patches: Sequence[ObservedPatch], sources: Mapping[str, str]) -> list[ObservedPatch]:
    """Return the patches without those that contradict an example in the docstring of the function that they edit.

    An example that no patch agrees with decides nothing. `sources` are the files without a patch, by path.
    """
    kept = list(patches)
    for path, function in dict.fromkeys((patch.path, patch.function) for patch in patches):
        stated = _stated_answers(sources.get(path, ""), function)
        for call in {call for patch in kept for call in patch.answers}:
            if answer := stated.get(_normal(call)):
                kept = _agreeing(kept, (path, function), call, answer)
    return kept


def _agreeing(patches: list[ObservedPatch], place: tuple[str, str], call: str, answer: str) -> list[ObservedPatch]:
    concerned = [patch for patch in patches if (patch.path, patch.function) == place and _answer(patch, call)]
    against = [patch for patch in concerned if not PossibleAnswer(text=_answer(patch, call)).agrees(answer)]
    return [patch for patch in patches if patch not in against] if len(against) < len(concerned) else patches


def _stated_answers(source: str, name: str) -> dict[str, str]:
    """Return the answers that the examples in a function's docstring state, by call."""
    docstrings = [ast.get_docstring(function) or "" for function in _top_level(source) if function.name == name]
    examples = [example for docstring in docstrings for example in _examples(docstring)]
    return {_normal(example.source): _stated(example) for example in examples}


def _examples(docstring: str) -> Sequence[doctest.Example]:
    try:
        return doctest.DocTestParser().get_examples(docstring)
    except ValueError:  # a docstring with an example that doctest cannot read decides nothing
        return []


def _stated(example: doctest.Example) -> str:
    """Return the answer that an example states, as a literal or as `raise NAME`."""
    if example.exc_msg is not None:
        name = example.exc_msg.partition(":")[0].strip().rpartition(".")[2]
        return f"{RAISE}{name}" if is_exception_name(name) else ""
    return example.want.strip() or "None"


def _normal(text: str) -> str:
    try:
        return ast.dump(ast.parse(text.strip(), mode="eval"))
    except (SyntaxError, ValueError, RecursionError):
        return text.strip()


def _top_level(source: str) -> Iterator[Function]:
    try:
        body = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError):
        return
    yield from (node for node in body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
