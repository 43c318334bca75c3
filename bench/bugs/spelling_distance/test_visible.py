from spelling_distance import edit_distance, suggest


def test_same():
    assert edit_distance("cat", "cat") == 0


def test_changed_letter():
    assert edit_distance("cat", "cut") == 1


def test_classic():
    assert edit_distance("kitten", "sitting") == 3


def test_extra_letters_in_front():
    assert edit_distance("unhappy", "happy") == 2


def test_suggest():
    assert suggest("helo", ["world", "hello", "help"]) == ["hello", "help"]
