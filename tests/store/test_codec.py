import pytest

from whet.domain.approval import Approval
from whet.domain.canonical import to_plain
from whet.domain.clock import now
from whet.domain.suite import Outcome, SuiteReport
from whet.domain.trigger import Trigger, TriggerKind
from whet.errors import Corrupt
from whet.store.codec import decode

TRIGGER = Trigger(id="c-1", kind=TriggerKind.HUMAN, reason="asked", actor="ann", at=now())


def test_a_noun_survives_conversion_to_plain_data_and_back() -> None:
    assert decode(Trigger, to_plain(TRIGGER)) == TRIGGER


def test_mappings_survive_conversion_too() -> None:
    report = SuiteReport(tree="t", outcomes={"a::b": Outcome.PASSED}, seconds=0.1, complete=True)
    assert decode(SuiteReport, to_plain(report)) == report


@pytest.mark.parametrize(
    "data",
    [
        {**to_plain(TRIGGER), "kind": "whim"},
        {**to_plain(TRIGGER), "at": "soon"},
        {key: value for key, value in to_plain(TRIGGER).items() if key != "actor"},
        [],
        None,
        "c-1",
    ],
)
def test_data_that_does_not_fit_the_noun_is_corrupt(data: object) -> None:
    with pytest.raises(Corrupt, match="a recorded Trigger cannot be read"):
        decode(Trigger, data)


def test_a_noun_of_another_class_is_corrupt() -> None:
    with pytest.raises(Corrupt):
        decode(Approval, to_plain(TRIGGER))
