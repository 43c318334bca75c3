from timed_task import Task, TimedTask, schedule


def test_order():
    tasks = [TimedTask("lunch", 12), TimedTask("news", 7), TimedTask("tea", 7, priority=3)]
    assert schedule(tasks) == ["tea", "news", "lunch"]


def test_plain_task():
    assert Task("x", attempts=3).allowed(2)


def test_timed_task_attempts():
    task = TimedTask("backup", 3, attempts=2)
    assert task.allowed(1)
    assert not task.allowed(2)


def test_default_attempts():
    assert not TimedTask("x", 1).allowed(1)
