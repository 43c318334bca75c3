import pytest

from matrix_product import identity, multiply


def test_identity_on_both_sides():
    assert multiply(identity(2), identity(2)) == [[1, 0], [0, 1]]


def test_square():
    assert multiply([[1, 2], [3, 4]], [[5, 6], [7, 8]]) == [[19, 22], [43, 50]]


def test_shapes():
    with pytest.raises(ValueError):
        multiply([[1, 2]], [[1, 2]])
