from datetime import date

from due_tasks import is_overdue, overdue_titles


TODAY = date(2024, 3, 1)


def test_without_due_key():
    assert is_overdue({"title": "x"}, TODAY) is False


def test_none_due_date():
    assert is_overdue({"title": "x", "due": None, "done": False}, TODAY) is False


def test_order():
    tasks = [
        {"title": "b", "due": date(2024, 2, 2)},
        {"title": "none"},
        {"title": "a", "due": date(2023, 2, 2)},
        {"title": "later", "due": date(2025, 1, 1)},
    ]
    assert overdue_titles(tasks, TODAY) == ["a", "b"]


def test_done_late_task():
    assert not is_overdue({"title": "x", "due": date(2000, 1, 1), "done": True}, TODAY)
