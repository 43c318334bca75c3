from version_sort import newest, upgrades


def test_newest_single_digits():
    assert newest(["1.2", "1.4", "1.3"]) == "1.4"


def test_newest_two_digits():
    assert newest(["1.9.0", "1.10.0", "1.2.0"]) == "1.10.0"


def test_upgrades():
    assert upgrades("2.0", ["1.0", "2.0", "3.0", "2.1"]) == ["2.1", "3.0"]


def test_no_upgrades():
    assert upgrades("2.0", ["1.0"]) == []
