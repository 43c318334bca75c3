import pytest

from linked_queue import LinkedQueue


def test_one_value():
    q = LinkedQueue()
    q.push("a")
    assert q.pop() == "a"


def test_two_values_in_order():
    q = LinkedQueue()
    q.push(1)
    q.push(2)
    assert [q.pop(), q.pop()] == [1, 2]


def test_four_values_in_order():
    q = LinkedQueue()
    for value in "abcd":
        q.push(value)
    assert "".join(q.pop() for _ in range(4)) == "abcd"


def test_pop_empty():
    with pytest.raises(IndexError):
        LinkedQueue().pop()
