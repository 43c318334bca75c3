from whet.domain.place import Place
from whet.domain.suite import Failure
from whet.phases.propose.repair.generate import candidates
from whet.phases.propose.repair.hints import Hints
from whet.phases.propose.repair.symptoms import symptom_lines

SOURCE = """\
def helper(text):
    return text.strip()


def caller(record):
    name = record.get("mail")
    return helper(name)
"""
STACK = (("tests/test_m.py", 4, "test_caller"), ("m.py", 7, "caller"), ("m.py", 2, "helper"))


def places(helper: float, caller: float) -> list[Place]:
    lines = ((2, "helper", helper), (6, "caller", caller), (7, "caller", caller))
    return [
        Place(path="m.py", line=line, function=function, suspicion=suspicion, why="")
        for line, function, suspicion in lines
    ]


def symptoms(
    helper: float, caller: float, stack: tuple[tuple[str, int, str], ...] = STACK
) -> frozenset[tuple[str, int]]:
    failure = Failure(exception="AttributeError", message="", frames=stack, text="")
    return symptom_lines([failure], places(helper, caller), lambda path: path.startswith("tests/"))


def test_a_helper_that_is_less_suspicious_than_its_caller_only_shows_the_failure() -> None:
    assert symptoms(0.7, 0.9) == {("m.py", 2)}
    assert symptoms(0.9, 0.7) == frozenset()


def test_a_failure_that_the_test_itself_calls_into_has_no_caller_to_blame() -> None:
    assert symptoms(0.7, 0.9, (STACK[0], STACK[2])) == frozenset()
    assert symptoms(0.7, 0.9, ()) == frozenset()


def test_a_guard_on_the_symptom_is_less_likely_and_other_edits_there_are_not() -> None:
    def likelihoods(symptoms: frozenset[tuple[str, int]]) -> dict[str, tuple[float, str]]:
        hints = Hints(exceptions=("AttributeError",), symptoms=symptoms)
        return {
            item.source: (item.naturalness, item.template) for item in candidates("m.py", SOURCE, suspicious, hints)
        }

    suspicious = places(0.9, 0.9)
    before, after = likelihoods(frozenset()), likelihoods(frozenset({("m.py", 2)}))
    changed = {source for source, (naturalness, _) in before.items() if after[source][0] < naturalness}
    assert changed
    assert {before[source][1] for source in changed} <= {
        "guard",
        "optional",
        "attempt",
        "exception",
        "presence",
        "coercion",
    }
    assert all('name = record.get("mail")\n    return helper(name)' in source for source in changed)
