from collections.abc import Callable
from pathlib import Path

import whet
from whet.config import Config, GuardPolicy
from whet.domain.approval import Tier
from whet.domain.category import Category
from whet.domain.change import Change
from whet.domain.trigger import TriggerKind
from whet.guard.answer import Allow, Raise, Refuse
from whet.guard.change import self_change
from whet.guard.change.submission import GuardContext, Submission

Touch = Callable[..., Change]
Submit = Callable[..., Submission]
SRC = Path(whet.__file__).parent
SELF = Config(guard=GuardPolicy(categories=tuple(Category)))


def test_every_definition_exists_in_the_source_of_whet() -> None:
    definitions = {
        definition
        for path in SRC.rglob("*.py")
        if path.name != "self_change.py"
        for definition in self_change.definitions_in(path.read_text())
    }
    assert definitions == set(self_change.DEFINITIONS)
    assert self_change.is_whet(definitions)


def test_fewer_than_four_definitions_are_not_whet() -> None:
    assert not self_change.is_whet(self_change.DEFINITIONS[:3])
    assert self_change.is_whet(self_change.DEFINITIONS[:4])
    assert not self_change.is_whet(["def other("] * 9)
    assert not self_change.is_whet([self_change.DEFINITIONS[0]] * 9)


def test_only_the_category_self_allows_changes_to_a_repository_with_whet(touch: Touch, submit: Submit) -> None:
    context = GuardContext(is_whet=True)
    assert self_change.change_to_whet(submit(touch("anything/else.py"))) == Allow()
    refused = self_change.change_to_whet(submit(touch("anything/else.py"), context=context))
    assert isinstance(refused, Refuse)
    assert refused.code == "changes_itself"
    raised = self_change.change_to_whet(submit(touch(), context=context, policy=SELF))
    assert raised == Raise("the change is to whet itself", "changes_itself", Tier.REQUIRE)


def test_a_change_that_adds_the_source_of_whet_counts_as_a_change_to_whet(touch: Touch, submit: Submit) -> None:
    text = "\n".join(self_change.DEFINITIONS)
    assert isinstance(self_change.change_to_whet(submit(touch(), texts={"x/y.py": ("", text)})), Refuse)
    assert self_change.change_to_whet(submit(touch(), texts={"x/y.py": (text, "")})) == Allow()


def test_whet_works_on_itself_once_a_day_and_only_if_a_person_starts_it() -> None:
    assert self_change.may_begin(TriggerKind.HUMAN, 0, readable=True) == Allow()
    for kind in TriggerKind:
        assert isinstance(self_change.may_begin(kind, 0, readable=True), Allow if kind is TriggerKind.HUMAN else Refuse)
    for count in (1, 2, -1, None):
        assert isinstance(self_change.may_begin(TriggerKind.HUMAN, count, readable=True), Refuse)  # type: ignore[arg-type]  # rubbish
    assert isinstance(self_change.may_begin(TriggerKind.HUMAN, 0, readable=False), Refuse)
