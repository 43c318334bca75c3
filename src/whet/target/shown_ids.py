"""Test ids as whet records and shows them: a parameter may be a secret, and pytest writes parameters into the id."""

from whet.domain.redact import redact


class ShownIds:
    """The shown ids of one process's runs, and the real ids that the test runner knows."""

    def __init__(self) -> None:
        self._shown: dict[str, str] = {}
        self._real: dict[str, str] = {}

    def __bool__(self) -> bool:
        """True if an id had to be redacted."""
        return bool(self._real)

    def shown(self, test: str) -> str:
        """Return the id with secrets redacted. Ids that become equal get a number, in the order of the run."""
        if test in self._shown:
            return self._shown[test]
        redacted = redact(test)
        if redacted == test:
            return test
        shown, number = redacted, 1
        while shown in self._real:
            number += 1
            shown = f"{redacted}-{number}"
        self._shown[test], self._real[shown] = shown, test
        return shown

    def real(self, shown: str) -> str:
        """Return the id that the runner knows; an id that was never shown otherwise is its own real id."""
        return self._real.get(shown, shown)

    def knows(self, shown: str) -> bool:
        """True if the id has no redacted part, or has been shown by a run of this process."""
        return "[redacted: " not in shown or shown in self._real
