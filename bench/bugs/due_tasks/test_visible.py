from datetime import date

from due_tasks import is_overdue, overdue_titles


TODAY = date(2024, 3, 1)


def test_overdue():
    assert is_overdue({"title": "tax", "due": date(2024, 2, 29)}, TODAY)


def test_due_today():
    assert not is_overdue({"title": "call", "due": TODAY}, TODAY)


def test_done():
    assert not is_overdue({"title": "x", "done": True}, TODAY)


def test_titles():
    tasks = [{"title": "late", "due": date(2024, 2, 1)}, {"title": "some day", "due": None}]
    assert overdue_titles(tasks, TODAY) == ["late"]
