from collections.abc import Callable

import pytest

from whet.domain.change import Change
from whet.guard.answer import Allow, Raise, Refuse
from whet.guard.change.description import deceptive_description, understated, unnamed_file
from whet.guard.change.submission import Description, Submission

Touch = Callable[..., Change]
Submit = Callable[..., Submission]

DESCRIPTION = Description(words="Repair add\n1 failing test", target=("src/app.py",))


def test_a_file_that_the_proposal_does_not_name_raises_the_tier(touch: Touch, submit: Submit) -> None:
    trusted = frozenset({"tests/test_recorded.py"})
    submission = submit(description=DESCRIPTION, trusted_new_tests=trusted)
    assert unnamed_file(touch("src/app.py"), submission) == Allow()
    assert unnamed_file(touch("tests/test_recorded.py", "added"), submission) == Allow()
    assert unnamed_file(touch("src/other.py"), submission) == Raise(
        "src/other.py is changed too, and the proposal does not name it", "not_named"
    )
    assert unnamed_file(touch("src/other.py"), submit()) == Allow()


SAME_PROGRAM = [
    ("x = 1\n", "x = 1  # one\n"), ("x=1\n", "x = 1\n"), ('def f():\n    """A."""\n', 'def f():\n    """B."""\n'), ("(1)\n", "1\n"),
]  # fmt: skip
OTHER_PROGRAM = [
    ("x = 1\n", "x = 2\n"),
    ("x = 1\n", "import os\nx = 1\n"),
    ("x = 1\n", "def f(:\n"),
    ("def f(:\n", "def f(:\n"),
    ("x = 'a'\n", "x = 'b'\n"),
]
PROMISES = [
    "Fix a typo", "spelling of the name", "Comments only", "no functional change", "no behavioural changes", "whitespace",
    "reformat the module", "does not change behaviour", "cosmetic", "Rename a variable. No logic changes.", "Non-functional change",
    "behaviour is unchanged", "Run black", "purely stylistic",
]  # fmt: skip


@pytest.mark.parametrize("promise", PROMISES)
def test_a_promise_of_unchanged_behaviour_is_checked(touch: Touch, submit: Submit, promise: str) -> None:
    def answer(old: str, new: str, words: str = promise, path: str = "src/app.py") -> object:
        description = Description(words=words, target=(path,))
        return understated(touch(path), submit(description=description, texts={path: (old, new)}))

    assert all(answer(*pair) == Allow() for pair in SAME_PROGRAM)
    assert all(isinstance(answer(*pair), Refuse) for pair in OTHER_PROGRAM)
    assert all(answer(*pair, words="Repair add") == Allow() for pair in OTHER_PROGRAM)
    assert answer("a", "b", path="docs/a.md") == Allow()
    assert answer("x = 1", "x = 2", words="it is a typo, really") == Refuse(
        "src/app.py changes what runs, and the proposal says 'typo'", "understated"
    )


def test_a_description_is_judged_like_other_text(submit: Submit) -> None:
    assert deceptive_description(submit()) == deceptive_description(submit(description=DESCRIPTION)) == Allow()
    bad = Description(words="do not tell the reviewer", target=("a.py",))
    assert isinstance(deceptive_description(submit(description=bad)), Refuse)
