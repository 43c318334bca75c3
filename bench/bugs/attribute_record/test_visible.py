import pytest

from attribute_record import Record


def test_read():
    assert Record(name="bolt", size=4).size == 4


def test_read_only():
    with pytest.raises(TypeError):
        Record(a=1).a = 2


def test_optional_field():
    assert getattr(Record(a=1), "b", "none") == "none"


def test_field_may_be_false():
    assert Record(a=0).a == 0
