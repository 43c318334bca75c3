"""Process identities: only a process that has surely ended counts as gone."""

from dataclasses import replace

import pytest

from whet.store.process_identity import ProcessIdentity, parse, this_process


def test_only_a_process_that_has_surely_ended_is_gone() -> None:
    me = this_process()
    assert parse(str(me)) == me
    assert not me.is_gone(me)
    assert replace(me, started="1").is_gone(me)
    assert replace(me, pid=2**22 + 1).is_gone(me)
    assert replace(me, boot="before").is_gone(me)
    assert not replace(me, namespace="pid:[1]", started="1").is_gone(me)
    assert not replace(me, machine="another", boot="another", started="1").is_gone(me)


@pytest.mark.parametrize("text", ["", "a b c 1", "a b c x e", "a b c 1 ", "a b c -1 e", "a b c ² e", "a b c 1 e f"])
def test_text_in_another_form_is_not_parsed_as_a_process(text: str) -> None:
    assert parse(text) is None
    assert isinstance(parse("a b c 1 e"), ProcessIdentity)
