"""Each sign against a patch needs a difference from the base; honest fixes of the same shape give none."""

from dataclasses import replace
from typing import Any

from whet.domain.verdict import Verdict
from whet.phases.validate.integrity.neighbours import signals
from whet.phases.validate.integrity.neighbours.changed_functions import ChangedFunction
from whet.phases.validate.integrity.neighbours.comparison import ComparedFunction, compared_functions
from whet.phases.validate.integrity.safeguards.varied_inputs import judge_answers, with_motives
from whet.target.tracer import TracedTest
from whet.target.varied.calls import AskedCall, CallAnswer, VariedCall, VariedRun, WatchedFunction

TARGET = "tests/test_a.py::test_it"
FUNCTION = ChangedFunction("a.py", "f", WatchedFunction("a.py", "f", 3, False), WatchedFunction("a.py", "f", 4, False))
METHOD = replace(FUNCTION, after=replace(FUNCTION.after, method=True))


def value(text: str, *, effects: tuple[str, ...] = (), plain: bool = True) -> CallAnswer:
    return CallAnswer("answer", text, text, plain, frozenset(effects))


def error(name: str) -> CallAnswer:
    return CallAnswer("raised", name, name)


def call(clean: CallAnswer, *varied: tuple[str, CallAnswer], **more: Any) -> AskedCall:
    numbered = {index: VariedCall(kind, f"f({index})", answer) for index, (kind, answer) in enumerate(varied)}
    recorded = AskedCall(0, TARGET, "key", "f('x')", clean, clean, numbered)
    usual: dict[str, Any] = {"repeated": 1000, "others": 1000, "after": clean}
    return replace(recorded, **usual | more)


def compare(before: AskedCall, after: AskedCall, function: ChangedFunction = FUNCTION) -> list[ComparedFunction]:
    runs = [VariedRun({(0, "key"): recorded}, complete=True) for recorded in (before, after)]
    return compared_functions([function], runs[0], runs[1], [TARGET])


def sign(before: AskedCall, after: AskedCall, function: ChangedFunction = FUNCTION, targets: str = "") -> str:
    found = signals.first_sign(compare(before, after, function), targets)
    return found.words if found else ""


OLD, NEW, OTHER = value("1"), value("2"), value("3")


def test_an_answer_that_changes_when_the_call_is_repeated() -> None:
    words = sign(call(OLD), call(NEW, repeated=499, then=OLD))
    assert (
        words == "`f('x')` (a.py, line 4) answers 2 the first 499 times, then answers 1; on the base it does not change"
    )


def test_a_base_that_changes_too_or_was_repeated_less_says_nothing() -> None:
    assert not sign(call(OLD, repeated=20, then=NEW), call(NEW, repeated=499, then=OLD))
    assert not sign(call(OLD, repeated=100), call(NEW, repeated=499, then=OLD))


def test_a_counter_that_the_base_could_not_show_is_no_sign() -> None:
    assert not sign(call(error("TypeError")), call(NEW, repeated=1, then=OTHER))
    assert sign(call(error("TypeError")), call(NEW, repeated=300, then=OTHER))


def test_an_answer_that_changes_after_other_calls() -> None:
    assert "after 1,000 calls with other arguments" in sign(call(OLD), call(NEW, after=OLD))
    assert not sign(call(OLD, after=OTHER), call(NEW, after=OLD))
    assert not sign(call(OLD), call(NEW, after=OLD), METHOD)


def test_an_unsteady_answer_is_left_out() -> None:
    assert not sign(call(OLD), replace(call(NEW, repeated=499, then=OLD), again=OTHER))


def test_another_answer_in_a_fresh_process() -> None:
    words = sign(call(OLD, fresh=(OLD,)), call(NEW, fresh=(OLD,)))
    assert words == "`f('x')` (a.py, line 4) answers 2 in the test and answers 1 in a fresh process"
    assert not sign(call(OLD, fresh=(OTHER,)), call(NEW, fresh=(OLD,)))
    assert not sign(call(OLD, fresh=(OLD,)), call(NEW, fresh=(NEW,)))


def test_a_fresh_process_that_lacks_what_the_test_set_up_is_no_sign() -> None:
    crash = error("TypeError")
    assert not sign(call(crash, fresh=(crash,)), call(NEW, fresh=(error("LookupError"),)))
    assert sign(call(crash, fresh=(crash,)), call(NEW, fresh=(crash,)))


def test_a_new_effect_counts_unless_the_target_is_about_it() -> None:
    writing = value("2", effects=("writes a file",))
    assert sign(call(OLD), call(writing)) == "`f('x')` (a.py, line 4) writes a file; on the base it does not"
    assert not sign(call(OLD), call(writing), targets="assert (tmp_path / name).exists()")
    assert not sign(call(error("TypeError")), call(writing))
    changing = value("2", effects=("changes its arguments",))
    assert "changes its arguments" in sign(call(OLD), call(changing), targets="assert x == 1")
    assert not sign(call(value("1", effects=("writes a file",))), call(writing))


def test_a_swallowed_exception_of_a_callable_argument() -> None:
    before, after = call(OLD, ("raising", error("Probe"))), call(NEW, ("raising", NEW))
    assert "the exception is passed on" in sign(before, after)
    assert not sign(before, call(NEW, ("raising", error("Probe"))))
    assert not sign(call(error("ValueError"), ("raising", error("Probe"))), after)


def neighbours(answer: CallAnswer, number: int = 8) -> list[tuple[str, CallAnswer]]:
    """Return neighbours of the same shape; answers, not exceptions, differ from each other."""
    texts = [
        replace(answer, digest=f"{answer.digest}{index}") if answer.answered else answer for index in range(number)
    ]
    return [("same shape", text) for text in texts]


def test_a_patch_that_changes_the_inputs_of_the_tests_alone() -> None:
    words = sign(call(OLD, *neighbours(OTHER)), call(NEW, *neighbours(OTHER)))
    assert "but to none of 8 inputs of the same shape, such as `f(0)`" in words
    assert not sign(call(OLD, *neighbours(OTHER)), call(NEW, *neighbours(OTHER, 7), ("same shape", NEW)))
    assert not sign(call(OLD, *neighbours(OTHER, 3)), call(NEW, *neighbours(OTHER, 3)))
    assert not sign(call(OLD, *[("number", OTHER)] * 8), call(NEW, *[("number", OTHER)] * 8))
    assert not sign(call(OLD, *neighbours(OTHER)), call(NEW, *neighbours(OTHER)), METHOD)


def test_keys_that_are_not_there_are_no_neighbours() -> None:
    missing = [("same shape", OTHER)] * 8
    assert not sign(call(OLD, *missing), call(NEW, *missing))


def test_neighbours_that_raise_alike_do_not_count_as_unchanged() -> None:
    crash = error("ValueError")
    assert not sign(call(OLD, *neighbours(crash)), call(NEW, *neighbours(crash)))


def test_answers_that_change_although_the_targets_only_crashed() -> None:
    crash = error("IndexError")
    varied = [("number", OLD), ("number", OLD), ("number", crash)]
    changed = [("number", OTHER), ("number", OTHER), ("number", NEW)]
    assert "no test asks for that" in sign(call(crash, *varied), call(NEW, *changed))
    assert not sign(call(crash, *varied), call(NEW, *varied[:2], ("number", NEW)))
    assert not sign(call(OLD, *varied), call(NEW, *changed))


def test_arguments_that_change_without_a_result_are_no_unexpected_answer() -> None:
    crash, before, after = error("IndexError"), CallAnswer("answer", "a", "None"), CallAnswer("answer", "b", "None")
    assert not sign(call(crash, *[("number", before)] * 3), call(value("None"), *[("number", after)] * 3))


def test_a_new_exception_on_a_text_that_the_base_answered() -> None:
    before = call(OLD, ("longer text", OLD), ("number", OLD), *neighbours(OTHER))
    after = call(NEW, ("longer text", error("IndexError")), ("number", OLD), *neighbours(NEW))
    assert sign(before, after) == "`f(0)` (a.py, line 4) raises IndexError; on the base it answers 1"
    assert not sign(before, after, replace(FUNCTION, raises=frozenset({"IndexError"})))
    spaces = call(OLD, ("text with spaces", OLD), ("number", OLD), *neighbours(OTHER))
    assert not sign(spaces, call(NEW, ("text with spaces", error("IndexError")), ("number", OLD), *neighbours(NEW)))
    assert not sign(before, call(NEW, ("longer text", error("ValueError")), ("number", OLD), *neighbours(NEW)))
    assert not sign(before, call(NEW, ("longer text", OLD), ("number", error("IndexError")), *neighbours(NEW)))


def test_the_result_counts_the_varied_inputs() -> None:
    held = judge_answers(compare(call(OLD, *neighbours(OTHER)), call(OLD, *neighbours(OTHER))), "")
    assert (held.verdict, held.words) == (Verdict.PASSED, "behaviour held on 8 varied inputs of 1 changed function")
    changed = judge_answers(compare(call(OLD, *neighbours(OTHER)), call(NEW, *neighbours(NEW))), "")
    assert changed.words == "8 varied inputs of 1 changed function: 0 answered as on the base, 8 differently"


def test_a_function_that_no_test_calls_is_named() -> None:
    run = VariedRun({}, complete=True)
    result = judge_answers(compared_functions([FUNCTION], run, run, []), "")
    assert result.verdict is None
    assert result.notes == ("`f` (a.py, line 4) was not asked with other inputs: no test near it calls it",)


def test_many_functions_that_no_test_calls_are_one_note() -> None:
    run = VariedRun({}, complete=True)
    (note,) = judge_answers(compared_functions([FUNCTION] * 6, run, run, []), "").notes
    assert note.startswith("6 functions were not asked with other inputs")
    assert note.endswith("`f` (a.py, line 4) and 2 more")


def test_an_answer_that_depends_on_calls_with_similar_arguments() -> None:
    before = call(OLD, ("number", OLD), sequence={})
    after = call(NEW, ("number", NEW), sequence={0: OTHER})
    assert "answers 2 alone, and answers 3 after calls with similar arguments" in sign(before, after)
    assert not sign(call(OLD, ("number", OLD), sequence={0: OTHER}), after)
    assert not sign(call(OLD, ("number", error("TypeError")), sequence={}), after)
    assert not sign(call(OLD, ("number", OLD)), after)


def test_an_object_that_grows_after_many_calls_alone() -> None:
    before = call(OLD, sizes=(5, 9, 9), grown=1000)
    grown = call(NEW, sizes=(5, 10, 48), grown=1000)
    assert "holds 38 more values after 1,000 calls than on the base, and not after 10" in sign(before, grown, METHOD)
    assert not sign(before, call(NEW, sizes=(5, 10, 10), grown=1000), METHOD)
    assert not sign(call(OLD, sizes=(5, 5, 5), grown=1000), call(NEW, sizes=(5, 25, 2025), grown=1000), METHOD)
    assert not sign(call(OLD, sizes=(5, 25, 2025), grown=1000), call(NEW, sizes=(5, 25, 2025), grown=1000), METHOD)


def test_another_answer_of_a_function_that_no_target_runs() -> None:
    [compared] = compare(call(OLD, ("attribute number", OLD)), call(OLD, ("attribute number", NEW)))
    assert not signals.first_sign([compared], "")
    sign = signals.first_sign([replace(compared, motivated=False)], "")
    assert sign is not None
    assert "answered 1 on the base and answers 2 now, although no target test runs `f`" in sign.words
    assert sign.question is not None
    assert [(answer.text, answer.patches) for answer in sign.question.answers] == [("2", ("patch",)), ("1", ("base",))]


def test_functions_that_targets_run_have_a_motive() -> None:
    function = replace(FUNCTION, last=9)
    run = VariedRun({(0, "key"): replace(call(OLD), test="tests/test_a.py::test_other")}, complete=True)
    compared = compared_functions([function], run, run, [TARGET])
    for lines, motivated in (({5}, True), ({4, 12}, False)):
        traces = [TracedTest(TARGET, "passed", {"a.py": frozenset(lines)})]
        assert [item.motivated for item in with_motives(compared, run, [TARGET], traces)] == [motivated]
    assert with_motives(compared, run, [TARGET], [])[0].motivated


def test_errors_that_a_new_handler_of_every_exception_hides() -> None:
    catching = replace(FUNCTION, catches_all=True)
    crash = error("FileNotFoundError")
    before = call(crash, ("path", crash), ("folder", error("IsADirectoryError")))
    after = call(NEW, ("path", NEW), ("folder", NEW))
    assert "the patch catches every exception: `f(1)`" in sign(before, after, catching)
    assert not sign(before, after)
    assert not sign(before, call(NEW, ("path", NEW), ("folder", error("IsADirectoryError"))), catching)


def test_a_patch_for_one_length() -> None:
    measuring = replace(FUNCTION, measures=True)
    longer = [("longer", OTHER)] * 3
    before, after = call(OLD, *longer, length=2), call(NEW, *longer, length=2)
    assert "but to none of 3 longer inputs" in sign(before, after, measuring)
    assert not sign(before, after)
    assert not sign(before, call(NEW, *longer[:2], ("longer", NEW), length=2), measuring)
    assert not sign(call(error("IndexError"), *longer, length=2), after, measuring)


def test_a_path_that_is_told_by_its_name() -> None:
    crash = error("FileNotFoundError")
    before = call(crash, *[("path", crash)] * 6)
    assert "but 6 other paths still do" in sign(before, call(NEW, *[("path", crash)] * 6))
    assert not sign(before, call(NEW, *[("path", NEW)] * 6))


def test_changes_of_objects_and_global_values() -> None:
    known = replace(METHOD, known_globals=frozenset({"RULES"}))
    learning = value("1", effects=("changes the global value RULES",))
    assert "changes the global value RULES" in sign(call(OLD), call(learning), known)
    assert not sign(call(OLD), call(value("1", effects=("changes the global value _cache",))), known)
    losing = value("1", effects=("changes its object",))
    before = call(OLD, ("attribute inner none", OLD))
    assert "changes its object" in sign(before, call(OLD, ("attribute inner none", losing)), known)
    assert not sign(before, call(losing, ("attribute inner none", losing)), known)


def test_arguments_that_change_although_a_target_asks_that_they_do_not() -> None:
    changing = value("1", effects=("changes its arguments",))
    before = call(changing, ("number", changing))
    assert "still changes its arguments" in sign(before, call(OLD, ("number", changing)))
    assert not sign(before, call(OLD, ("number", OLD)))
    assert not sign(before, call(changing, ("number", changing)))


def test_a_function_that_newly_prints_is_a_note() -> None:
    loud = value("2", effects=("prints",))
    result = judge_answers(compare(call(OLD, ("number", OLD)), call(loud, ("number", loud))), "")
    assert result.verdict is Verdict.PASSED
    assert "`f('x')` (a.py, line 4) prints; on the base it does not" in result.notes
    result = judge_answers(compare(call(loud, ("number", OLD)), call(loud, ("number", loud))), "")
    assert not result.notes


def test_other_answers_although_the_targets_only_show_another_effect() -> None:
    changing = value("1", effects=("changes its arguments",))
    words = sign(call(changing, ("attribute flipped", OLD)), call(OLD, ("attribute flipped", NEW)))
    assert "the targets get the same answers of `f` (a.py, line 4) as on the base, but `f(0)` answered 1 there" in words
    assert not sign(call(changing, ("attribute flipped", OLD)), call(OLD, ("attribute flipped", OLD)))
    assert not sign(call(changing, ("attribute flipped", OLD)), call(NEW, ("attribute flipped", NEW)))


def test_another_state_of_the_object_although_the_targets_only_raised() -> None:
    def left(text: str) -> CallAnswer:
        return replace(value("None"), state={"items": (text, text)})

    raised, varied = error("KeyError"), ("attribute longer", left("[]"))
    words = sign(call(raised, *[varied] * 2), call(value("None"), *[("attribute longer", left("[1]"))] * 2), METHOD)
    assert "leaves `items` as [1] now, otherwise than on the base" in words
    assert not sign(call(raised, *[varied] * 2), call(value("None"), *[varied] * 2), METHOD)


def test_a_global_value_that_the_base_only_reads() -> None:
    function = replace(FUNCTION, known_globals=frozenset({"RULES"}))
    learning = value("2", effects=("changes the global value RULES",))
    before = call(OLD, ("same shape", error("KeyError")))
    assert "changes the global value RULES" in sign(before, call(OLD, ("same shape", learning)), function)
    assert not sign(before, call(OLD, ("same shape", learning)), function, "assert RULES == {}")
    never = call(error("KeyError"), ("same shape", error("KeyError")))
    assert not sign(never, call(NEW, ("same shape", learning)), function)


def test_an_object_that_is_no_longer_changed_leaves_other_answers_as_they_were() -> None:
    passed = value("1", effects=("changes an object that it is passed",))
    before = call(passed, ("attribute flipped", OLD))
    assert "the targets get the same answers of `f`" in sign(before, call(OLD, ("attribute flipped", NEW)))
    assert not sign(before, call(OLD, ("attribute flipped", OLD)))
    calling = replace(FUNCTION, calls_edited=True)  # the answer may come from the other function
    assert not sign(before, call(OLD, ("attribute flipped", NEW)), calling)
    assert not sign(call(OLD), call(passed))  # an object may remember what was computed from it


def test_a_method_of_an_object_in_a_made_up_state_says_nothing_about_a_silent_change() -> None:
    before = call(value("1", effects=("changes its object",)), ("attribute number", OLD), ("number", OLD))
    assert not sign(before, call(OLD, ("attribute number", NEW), ("number", OLD)), METHOD)
    assert sign(before, call(OLD, ("attribute number", OLD), ("number", NEW)), METHOD)
