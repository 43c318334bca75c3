from prime_check import is_prime, next_prime


def test_up_to_thirty():
    assert [n for n in range(30) if is_prime(n)] == [2, 3, 5, 7, 11, 13, 17, 19, 23, 29]


def test_square_of_a_prime():
    assert not is_prime(49)
    assert not is_prime(121)


def test_large_prime():
    assert is_prime(7919)


def test_product_of_primes():
    assert not is_prime(89 * 97)


def test_next_over_a_gap():
    assert next_prime(113) == 127
