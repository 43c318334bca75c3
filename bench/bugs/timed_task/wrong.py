class Task:
    """A unit of work with a priority and a limit on attempts."""

    def __init__(self, name, priority=0, attempts=1):
        self.name = name
        self.priority = priority
        self.attempts = attempts

    def allowed(self, tried):
        """Tell whether another attempt is allowed."""
        return tried < self.attempts


class TimedTask(Task):
    """A task that starts at a given hour."""

    def __init__(self, name, hour, priority=0, attempts=1):
        super().__init__(name, priority)
        self.hour = hour


def schedule(tasks):
    """Return the names ordered by hour, then by falling priority."""
    return [t.name for t in sorted(tasks, key=lambda t: (t.hour, -t.priority))]
