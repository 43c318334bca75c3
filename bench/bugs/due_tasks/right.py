from datetime import date


def is_overdue(task: dict, today: date) -> bool:
    """Tell whether an open task's due date has passed."""
    if task.get("done"):
        return False
    due = task.get("due")
    return due is not None and due < today


def overdue_titles(tasks: list, today: date) -> list:
    """Return the titles of the overdue tasks, the longest overdue first."""
    late = [task for task in tasks if is_overdue(task, today)]
    return [task["title"] for task in sorted(late, key=lambda t: t["due"])]
