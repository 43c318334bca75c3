from user_handles import is_handle, mentions


def test_good_handles():
    assert is_handle("ann_92")
    assert is_handle("bob")


def test_must_begin_with_a_letter():
    assert not is_handle("9lives")


def test_no_other_characters():
    assert not is_handle("ann-marie")


def test_mentions():
    assert mentions("hi @Ann, and @bob! @ann") == ["ann", "bob"]
