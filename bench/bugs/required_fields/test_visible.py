import pytest

from required_fields import check_record, missing_fields


def test_complete_record():
    record = {"id": 1, "name": "x"}
    assert check_record(record, ["id", "name"]) is record


def test_missing_one():
    with pytest.raises(ValueError, match="missing: name"):
        check_record({"id": 1}, ["id", "name"])


def test_additional_fields_are_fine():
    assert missing_fields({"id": 1, "colour": "red"}, ["id"]) == []
