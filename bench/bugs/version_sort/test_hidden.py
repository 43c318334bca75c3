from version_sort import newest, upgrades, version_key


def test_key():
    assert version_key("3.11.7") == (3, 11, 7)


def test_upgrades_two_digits():
    assert upgrades("9.9", ["10.0", "9.10", "9.8"]) == ["9.10", "10.0"]


def test_leading_zero_is_equal():
    assert upgrades("1.1", ["1.01"]) == []


def test_longer_is_newer():
    assert newest(["1.2", "1.2.0"]) == "1.2.0"
