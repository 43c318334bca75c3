from whet.domain.place import Place
from whet.domain.suite import Failure
from whet.target.suspicion.localise import Covered, localise

SOURCES = {
    "m.py": """\
X = 1

def f(a):
    b = a
    if b:
        return 1
    return 2

class C:
    def grow(self):
        return 3
""",
    "tests/test_m.py": "def test_f():\n    assert f(0)\n",
}


def covered(test: str, *lines: int, red: bool = False) -> Covered:
    return Covered(test, red, {"m.py": frozenset(lines), "tests/test_m.py": frozenset({1, 2})})


def failure(*frames: tuple[str, int, str]) -> Failure:
    return Failure(exception="ValueError", message="", frames=frames, text="")


def places(coverage: list[Covered], failures: dict[str, Failure] | None = None, most: int = 50) -> tuple[Place, ...]:
    return localise(coverage, failures or {}, SOURCES, lambda path: path.startswith("tests/"), most)


def test_the_line_only_failing_tests_run_comes_first() -> None:
    found = places([covered("a", 4, 5, 7, red=True), covered("b", 4, 5, 6), covered("c", 4, 5, 6)])
    assert found[0].line == 7
    assert found[0].why == "run by 1 of 1 failing and 0 of 2 passing tests"
    assert 6 not in {place.line for place in found}


def test_test_files_and_unknown_files_are_never_suspected() -> None:
    strange = Covered("a", red=True, lines={"m.py": frozenset({4}), "other.py": frozenset({1})})
    assert {place.path for place in places([covered("b", 4, red=True), strange])} == {"m.py"}


def test_the_innermost_frame_of_a_failure_is_raised_most() -> None:
    broken = failure(("tests/test_m.py", 2, "test_f"), ("m.py", 4, "f"), ("m.py", 6, "f"))
    found = places([covered("a", 4, 5, 6, red=True)], {"a": broken})
    assert [place.line for place in found] == [6, 4, 5]
    assert "the failure passes through it" in found[0].why


def test_one_failing_test_alone_still_gives_an_order() -> None:
    found = places([covered("tests/test_m.py::test_grow", 4, 11, red=True)], {"tests/test_m.py::test_grow": failure()})
    assert [place.function for place in found] == ["C.grow", "f"]


def test_a_failure_before_any_test_ran_is_placed_by_its_frames() -> None:
    found = places([], {"tests/test_m.py": failure(("m.py", 1, "<module>"))})
    assert [(place.line, place.function) for place in found] == [(1, "<module>")]


def test_suspicion_stays_between_0_and_1_and_falls() -> None:
    broken = failure(("m.py", 4, "f"))
    found = places([covered("test_f", 4, 5, 6, red=True), covered("b", 5, 6)], {"test_f": broken})
    numbers = [place.suspicion for place in found]
    assert numbers == sorted(numbers, reverse=True)
    assert all(0 < number <= 1 for number in numbers)


def test_a_line_from_which_only_failing_tests_go_one_way_is_suspected() -> None:
    def went(test: str, there: int, *, red: bool = False) -> Covered:
        """All run the condition in line 2 and line 5; where it leads to is no line of its own for either."""
        return Covered(test, red, {"m.py": frozenset({2, 4, 5})}, {"m.py": frozenset({(2, there), (4, 5)})})

    coverage = [went("a", 5, red=True), *(went(name, 4) for name in "bcdefghi")]
    first, *others = places(coverage)
    assert first.line == 2
    assert all(first.suspicion > 1.5 * other.suspicion for other in others)
    plain = [Covered(one.test, one.red, one.lines) for one in coverage]
    assert len({place.suspicion for place in places(plain)}) == 1


def test_no_more_places_than_asked_for() -> None:
    assert len(places([covered("a", 4, 5, 6, 7, red=True)], most=2)) == 2


def test_without_failing_tests_there_is_nothing_to_suspect() -> None:
    assert places([covered("a", 4, 5)]) == ()


def test_a_function_that_an_error_says_was_called_wrongly_is_suspicious_although_no_line_of_it_ran() -> None:
    def failed(exception: str, message: str) -> list[str]:
        error = Failure(exception=exception, message=message, frames=(), text="")
        return [place.function for place in places([covered("a", red=True)], {"a": error})]

    assert set(failed("TypeError", "f() got an unexpected keyword argument 'b'")) == {"f"}
    assert set(failed("TypeError", "C.grow() missing 1 required positional argument: 'b'")) == {"C.grow"}
    assert failed("TypeError", "f is not iterable") == []
    assert failed("ValueError", "f() got nothing") == []
