from template_fill import fill_in, placeholders


def test_one_name():
    assert fill_in("Dear {name},", {"name": "Ann"}) == "Dear Ann,"


def test_two_names():
    assert fill_in("{a} and {b}", {"a": 1, "b": 2}) == "1 and 2"


def test_unknown():
    assert fill_in("{x}", {}) == "{x}"


def test_no_names():
    assert placeholders("nothing {} here") == []
