from line_index import index_words, lines_with_all


def test_word_twice_on_a_line():
    assert index_words("x x\nx") == {"x": [1, 2]}


def test_every_line():
    assert index_words("a\na\na\na")["a"] == [1, 2, 3, 4]


def test_unknown_word():
    assert lines_with_all(index_words("a b"), ["a", "z"]) == []


def test_empty_lines_count():
    assert index_words("a\n\na") == {"a": [1, 3]}
