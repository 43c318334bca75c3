from required_fields import check_record, missing_fields


def test_extra_and_missing():
    assert missing_fields({"a": 1, "z": 2}, ["a", "c", "b"]) == ["b", "c"]


def test_nothing_required():
    assert missing_fields({"a": 1}, []) == []


def test_empty_record():
    assert missing_fields({}, ["b", "a"]) == ["a", "b"]


def test_check_returns_rich_record():
    assert check_record({"id": 1, "x": 2}, ["id"]) == {"id": 1, "x": 2}
