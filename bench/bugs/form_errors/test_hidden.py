from form_errors import check_form, is_valid


def test_no_rules():
    assert check_form({"a": 1}, {}) == []


def test_all_missing():
    rules = {"a": (0, 1), "b": (0, 1), "c": (0, 1)}
    assert check_form({}, rules) == ["a is missing", "b is missing", "c is missing"]


def test_third_only():
    rules = {"a": (0, 1), "b": (0, 1), "c": (0, 1)}
    assert check_form({"a": 0, "b": 1, "c": 2}, rules) == ["c must be 0 to 1"]


def test_limits_are_allowed():
    assert is_valid({"a": 0, "b": 9}, {"a": (0, 9), "b": (0, 9)})
