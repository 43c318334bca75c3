import copy

import pytest

from attribute_record import Record


def test_hasattr():
    record = Record(a=1)
    assert hasattr(record, "a")
    assert not hasattr(record, "b")


def test_missing_field():
    with pytest.raises(AttributeError):
        Record().anything


def test_copy():
    assert copy.copy(Record(a=1)).a == 1


def test_message_names_the_field():
    with pytest.raises(AttributeError, match="price"):
        Record(a=1).price
