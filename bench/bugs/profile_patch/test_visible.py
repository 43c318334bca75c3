from profile_patch import apply_patch, changed_fields


def test_change_a_field():
    assert apply_patch({"name": "x", "age": 3}, {"age": 4}) == {"name": "x", "age": 4}


def test_remove_a_field():
    assert apply_patch({"name": "x", "age": 3}, {"age": None}) == {"name": "x"}


def test_changes_are_listed():
    before = {"name": "x", "age": 3}
    after = apply_patch(before, {"age": 4, "city": "Rome"})
    assert changed_fields(before, after) == ["age", "city"]


def test_no_changes():
    assert changed_fields({"a": 1}, {"a": 1}) == []
