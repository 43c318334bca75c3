from line_index import index_words, lines_with_all


def test_one_line():
    assert index_words("to be") == {"to": [1], "be": [1]}


def test_word_on_two_lines():
    assert index_words("Red sky\nblue sea\nred sun")["red"] == [1, 3]


def test_all_words():
    index = index_words("a b\nb c\nc b a")
    assert lines_with_all(index, ["a", "b"]) == [1, 3]


def test_no_words():
    assert lines_with_all({}, []) == []
