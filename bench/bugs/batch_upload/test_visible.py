import pytest

from batch_upload import batches, upload


def test_one_batch():
    assert list(batches([1, 2], 5)) == [[1, 2]]


def test_two_batches():
    assert list(batches([1, 2, 3], 2)) == [[1, 2], [3]]


def test_upload():
    sent = []
    assert upload(list("abcde"), sent.append, size=2) == 3
    assert sent == [["a", "b"], ["c", "d"], ["e"]]


def test_size_zero():
    with pytest.raises(ValueError):
        list(batches([1], 0))
