from prime_check import is_prime, next_prime


def test_small_numbers():
    assert [n for n in range(9) if is_prime(n)] == [2, 3, 5, 7]


def test_odd_composite():
    assert not is_prime(15)


def test_next():
    assert next_prime(13) == 17


def test_one():
    assert not is_prime(1)
