from timed_task import TimedTask


def test_many_attempts():
    assert TimedTask("x", 5, attempts=10).attempts == 10


def test_no_attempts():
    assert not TimedTask("x", 5, attempts=0).allowed(0)


def test_all_values():
    task = TimedTask("x", 5, 2, 4)
    assert (task.name, task.hour, task.priority, task.attempts) == ("x", 5, 2, 4)


def test_defaults():
    task = TimedTask("x", 5)
    assert (task.priority, task.attempts) == (0, 1)
