from linked_queue import LinkedQueue


def drain(q):
    out = []
    while q.head is not None:
        out.append(q.pop())
    return out


def test_many():
    q = LinkedQueue()
    for n in range(50):
        q.push(n)
    assert drain(q) == list(range(50))


def test_reuse_after_empty():
    q = LinkedQueue()
    q.push(1)
    q.pop()
    for n in (2, 3, 4):
        q.push(n)
    assert drain(q) == [2, 3, 4]


def test_mixed():
    q = LinkedQueue()
    q.push(1)
    q.push(2)
    assert q.pop() == 1
    q.push(3)
    q.push(4)
    assert drain(q) == [2, 3, 4]


def test_tail_is_cleared():
    q = LinkedQueue()
    q.push(1)
    q.pop()
    assert q.tail is None
