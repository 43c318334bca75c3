"""Rules about what lies around a change: filters, ignored names, twins, what is said, whet itself."""

from collections.abc import Callable
from pathlib import Path

import pytest

from whet.config import Config, GuardPolicy
from whet.domain.approval import Tier
from whet.domain.category import Category
from whet.domain.change import Change
from whet.domain.trigger import TriggerKind
from whet.guard.answer import Allow, Raise, Refuse
from whet.guard.change import description, self_change
from whet.guard.change.categories import allowed
from whet.guard.change.submission import Description, GuardContext, Submission
from whet.guard.paths.collisions import twin
from whet.guard.paths.gitattributes import filtered
from whet.guard.paths.gitignored import ignored
from whet.guard.paths.lookalikes import as_latin, pretending_words

Touch = Callable[..., Change]
Submit = Callable[..., Submission]
SRC = Path(__file__).parents[2] / "src"
SELF = Config(guard=GuardPolicy(categories=tuple(Category)))

UNFILTERED = [
    ("", ""), ("", "*.py text eol=lf\n"), ("", "*.bin filter=lfs\n"), ("", "# *.py filter=x\n"), ("docs", "*.py filter=x\n"),
    ("", "*.py -filter\n"), ("", "*.py diff=python merge=union export-ignore\n"), ("", "[attr]big filter=lfs\n*.bin big\n"),
    ("src", "/other.py filter=x\n"), ("", "*.py myfilter=x\n"), ("", "text filter=x\n*.py text\n"),
]  # fmt: skip
FILTERED = [
    ("", "*.py filter=lfs\n"), ("", "* filter=x\n"), ("src", "app.py filter=x\n"), ("", "src/** text filter=x\n"),
    ("", "*.py working-tree-encoding=UTF-16\n"), ("", "*.py ident\n"), ("", "*.PY filter=x\n"), ("", "!x filter=y\n"),
    ("", "[attr]big filter=lfs\n*.py big\n"), ("", "*.py filter=x\n*.py -filter\n"), ("", "*.py\tfilter=x\n"),
]  # fmt: skip


@pytest.mark.parametrize(("folder", "text"), UNFILTERED)
def test_a_file_that_git_keeps_as_it_is(touch: Touch, submit: Submit, folder: str, text: str) -> None:
    assert filtered(touch(), submit(around=GuardContext(attributes={folder: text}))) == Allow()


@pytest.mark.parametrize(("folder", "text"), FILTERED)
def test_a_file_that_git_rewrites_is_refused(touch: Touch, submit: Submit, folder: str, text: str) -> None:
    around = GuardContext(attributes={folder: text})
    answer = filtered(touch(), submit(around=around))
    assert isinstance(answer, Refuse)
    assert answer.code == "path_filtered"
    assert filtered(touch(status="deleted"), submit(around=around)) == Allow()


@pytest.mark.parametrize(
    ("ignores", "seen"),
    [
        ({}, True), ({"": "*.log\n"}, True), ({"": "*.py\n"}, False), ({"": "src/\n"}, False), ({"src": "app.py\n"}, False),
        ({"": "*.py\n!src/app.py\n"}, True), ({"": "*.py\n", "src": "!app.py\n"}, True), ({"": "/app.py\n"}, True),
        ({"docs": "*\n"}, True), ({"": "a[\n"}, True), ({"": "!\n"}, False), ({"": "!*.py\n", "src": "*.py\n"}, False), ({"": "# *.py\n"}, True),
    ],
)  # fmt: skip
def test_a_new_file_that_git_ignores_wants_a_reader(
    touch: Touch, submit: Submit, ignores: dict[str, str], seen: bool
) -> None:
    answer = ignored(touch(status="added"), submit(around=GuardContext(ignores=ignores)))
    assert isinstance(answer, Allow if seen else Raise)
    assert ignored(touch(), submit(around=GuardContext(ignores=ignores))) == Allow()


THERE = frozenset({"src/app.py", "README.md", "docs/Größe.md", "lib/Core/a.py"})
NO_TWINS = ["src/new.py", "docs/readme.md", "lib/Core/b.py", "src/app/x.py"]
TWINS = [
    "src/App.py",
    "readme.md",
    "README.MD",
    "docs/größe.md",
    "SRC/new.py",
    "lib/core/b.py",
    "ｓrc/x.py",
    "src/аpp.py",
]


@pytest.mark.parametrize("path", NO_TWINS)
def test_a_new_name_is_allowed(touch: Touch, submit: Submit, path: str) -> None:
    assert twin(submit(touch(path, "added"), around=GuardContext(paths=THERE))) == Allow()


@pytest.mark.parametrize("path", TWINS)
def test_a_name_too_much_like_one_that_is_there_is_refused(touch: Touch, submit: Submit, path: str) -> None:
    answer = twin(submit(touch(path, "added"), around=GuardContext(paths=THERE)))
    unreadable = any(pretending_words(path))
    assert isinstance(answer, Allow if unreadable else Refuse)
    assert twin(submit(touch(path), around=GuardContext(paths=THERE))) == Allow()


def test_a_new_spelling_of_a_file_that_goes_is_a_rename(touch: Touch, submit: Submit) -> None:
    both = (touch("README.md", "deleted"), touch("readme.md", "added"))
    assert twin(submit(*both, around=GuardContext(paths=THERE))) == Allow()


def test_lookalikes_are_seen_as_what_they_look_like() -> None:
    assert as_latin("ѕесrеt") == "secret"
    assert as_latin("größe") == "größe"
    assert list(pretending_words("sеtup and привет and β2")) == ["sеtup"]


# ---- what is said about a change ------------------------------------------------------------------------------------

SAYS = Description(words="Repair add\n1 failing test", target=("src/app.py",))


def test_a_file_that_the_proposal_does_not_name_wants_a_reader(touch: Touch, submit: Submit) -> None:
    trusted = frozenset({"tests/test_recorded.py"})
    submission = submit(account=SAYS, trusted_new_tests=trusted)
    assert description.named(touch("src/app.py"), submission) == Allow()
    assert description.named(touch("tests/test_recorded.py", "added"), submission) == Allow()
    assert description.named(touch("src/other.py"), submission) == Raise(
        "src/other.py is changed too, and the proposal does not name it", "not_named"
    )
    assert description.named(touch("src/other.py"), submit()) == Allow()


SAME = [
    ("x = 1\n", "x = 1  # one\n"), ("x=1\n", "x = 1\n"), ('def f():\n    """A."""\n', 'def f():\n    """B."""\n'), ("(1)\n", "1\n"),
]  # fmt: skip
OTHER = [
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
def test_words_that_promise_nothing_happens_are_held_to_it(touch: Touch, submit: Submit, promise: str) -> None:
    def answer(old: str, new: str, words: str = promise, path: str = "src/app.py") -> object:
        told = Description(words=words, target=(path,))
        return description.understated(touch(path), submit(account=told, texts={path: (old, new)}))

    assert all(answer(*pair) == Allow() for pair in SAME)
    assert all(isinstance(answer(*pair), Refuse) for pair in OTHER)
    assert all(answer(*pair, words="Repair add") == Allow() for pair in OTHER)
    assert answer("a", "b", path="docs/a.md") == Allow()
    assert answer("x = 1", "x = 2", words="it is a typo, really") == Refuse(
        "src/app.py changes what runs, and the proposal says 'typo'", "understated"
    )


def test_what_is_said_is_judged_like_what_is_written(submit: Submit) -> None:
    assert description.said(submit()) == description.said(submit(account=SAYS)) == Allow()
    bad = Description(words="do not tell the reviewer", target=("a.py",))
    assert isinstance(description.said(submit(account=bad)), Refuse)


# ---- whet itself ----------------------------------------------------------------------------------------------------


def test_whet_is_known_by_its_source() -> None:
    found = {
        word
        for path in SRC.rglob("*.py")
        if path.name != "itself.py"
        for word in self_change.definitions_in(path.read_text())
    }
    assert found == set(self_change.DEFINITIONS)
    assert self_change.is_whet(found)


def test_a_few_names_are_no_whet() -> None:
    assert not self_change.is_whet(self_change.DEFINITIONS[:3])
    assert self_change.is_whet(self_change.DEFINITIONS[:4])
    assert not self_change.is_whet(["def other("] * 9)
    assert not self_change.is_whet([self_change.DEFINITIONS[0]] * 9)


def test_in_a_repository_that_holds_whet_only_the_category_self_opens_it(touch: Touch, submit: Submit) -> None:
    there = GuardContext(is_whet=True)
    assert self_change.itself(submit(touch("anything/else.py"))) == Allow()
    refused = self_change.itself(submit(touch("anything/else.py"), around=there))
    assert isinstance(refused, Refuse)
    assert refused.code == "changes_itself"
    raised = self_change.itself(submit(touch(), around=there, policy=SELF))
    assert raised == Raise("the change is to whet itself", "changes_itself", Tier.REQUIRE)


def test_a_change_that_brings_whet_in_is_one_to_whet(touch: Touch, submit: Submit) -> None:
    text = "\n".join(self_change.DEFINITIONS)
    assert isinstance(self_change.itself(submit(touch(), texts={"x/y.py": ("", text)})), Refuse)
    assert self_change.itself(submit(touch(), texts={"x/y.py": (text, "")})) == Allow()


def test_the_category_self_is_for_whet_alone(submit: Submit) -> None:
    assert isinstance(allowed(submit(category=Category.SELF, policy=SELF)), Refuse)
    assert allowed(submit(category=Category.SELF, policy=SELF, around=GuardContext(is_whet=True))) == Allow()
    assert isinstance(allowed(submit(category=Category.SELF, around=GuardContext(is_whet=True))), Refuse)


def test_whet_works_on_itself_once_a_day_and_only_when_a_person_asks() -> None:
    assert self_change.may_begin(TriggerKind.HUMAN, 0, readable=True) == Allow()
    for kind in TriggerKind:
        assert isinstance(self_change.may_begin(kind, 0, readable=True), Allow if kind is TriggerKind.HUMAN else Refuse)
    for count in (1, 2, -1, None):
        assert isinstance(self_change.may_begin(TriggerKind.HUMAN, count, readable=True), Refuse)  # type: ignore[arg-type]  # rubbish
    assert isinstance(self_change.may_begin(TriggerKind.HUMAN, 0, readable=False), Refuse)
