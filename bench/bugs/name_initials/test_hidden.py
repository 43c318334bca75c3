from name_initials import avatar, initials


def test_leading_and_trailing_spaces():
    assert initials(" alan turing ") == "AT"


def test_empty_name():
    assert initials("") == ""


def test_avatar_without_name():
    assert avatar({"name": " "}) == "?"


def test_spaced_hyphen():
    assert initials("Anne - Marie") == "AM"
