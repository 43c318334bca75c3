from form_errors import check_form, is_valid


RULES = {"age": (0, 120), "size": (30, 50)}


def test_good_form():
    assert check_form({"age": 30, "size": 40}, {"age": (0, 120)}) == []


def test_first_field_wrong():
    assert check_form({"age": 130, "size": 40}, RULES) == ["age must be 0 to 120"]


def test_two_errors():
    assert check_form({"age": -1}, RULES) == ["age must be 0 to 120", "size is missing"]


def test_second_field_wrong():
    assert not is_valid({"age": 1, "size": 99}, RULES)
