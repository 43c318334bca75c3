from call_counter import greet


def test_plain_call():
    assert greet("Ann") == "Hello, Ann!"


def test_other_greeting():
    assert greet("Bob", greeting="Bye") == "Bye, Bob!"


def test_calls_are_counted():
    before = greet.calls
    greet("x")
    greet("y")
    assert greet.calls == before + 2


def test_name_is_kept():
    assert greet.__name__ == "greet"
