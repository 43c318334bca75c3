from name_initials import avatar, initials


def test_two_names():
    assert initials("ada lovelace") == "AL"


def test_hyphen():
    assert initials("Jean-Luc Picard") == "JLP"


def test_double_space():
    assert initials("Grace  Hopper") == "GH"


def test_avatar():
    assert avatar({"name": "a b c"}) == "AB"
