from caesar_text import decrypt, encrypt


def test_small_shift():
    assert encrypt("abc", 1) == "bcd"


def test_wrap_around():
    assert encrypt("xyz", 3) == "abc"


def test_capitals():
    assert encrypt("Hello, Zoe!", 1) == "Ifmmp, Apf!"


def test_decrypt():
    assert decrypt("bcd", 1) == "abc"
