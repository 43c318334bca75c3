from user_handles import is_handle, mentions


def test_too_long():
    assert is_handle("a" * 15)
    assert not is_handle("a" * 16)


def test_too_short():
    assert not is_handle("ab")


def test_trailing_newline():
    assert not is_handle("anna\n")


def test_bad_mention():
    assert mentions("@ann's @x @good_one") == ["good_one"]


def test_space():
    assert not is_handle("ann bob")
