from batch_upload import batches


def test_nothing_is_lost():
    for size in range(1, 12):
        parts = list(batches(list(range(10)), size))
        assert sum(parts, []) == list(range(10))


def test_sizes():
    assert [len(b) for b in batches(list(range(10)), 4)] == [4, 4, 2]


def test_empty():
    assert list(batches([], 3)) == []


def test_works_on_text():
    assert list(batches("abcdefg", 3)) == ["abc", "def", "g"]
