from word_counts import count_words, top_words


def test_three_times():
    assert count_words("x x x") == {"x": 3}


def test_top_alphabetical():
    assert top_words("d c b a", 3) == ["a", "b", "c"]


def test_top_more_than_there_are():
    assert top_words("one", 5) == ["one"]


def test_unknown_word_is_not_counted():
    assert "z" not in count_words("a b")
