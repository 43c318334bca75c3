"""A calculator whose functions are tools, and an application that calls them, for the second half of the demo."""

import difflib
import itertools
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

from whet.app.setup.sample_repository import make_repository
from whet.errors import Internal
from whet.git.git import Git
from whet.sandbox.process import end, spawn

_FILES = {
    "calculator.py": '''"""A calculator for an agent: each function is a tool that captures its calls."""

from whet import tool


@tool(idempotent=True, side_effects=False)
def divide(a, b):
    """Return the quotient, or None if there is none.

    >>> divide(2, 0)
    """
    return a / b
''',
    "application.py": '''"""Divides as often as it is told to, one request to a line, and answers with how many calls failed."""

import sys

from calculator import divide

number = 0
for line in sys.stdin:
    calls, largest = map(int, line.split())
    failed = 0
    for _ in range(calls):
        number += 1
        try:
            divide(number % 97, number % (largest + 1))
        except (ArithmeticError, LookupError):
            failed += 1
    print(failed, flush=True)
''',
    "tests/test_calculator.py": """from calculator import divide


def test_divide():
    assert divide(6, 3) == 2
""",
    "whet.toml": """[target]
branch = "main"

[tests]
folders = ["tests"]

[deploy]
strategy = "hot_reload"
canary_share = 0.5
trial_seconds = 60
watch_seconds = 3
""",
    "README.md": "# calculator\n\nA demonstration repository made by `whet demo`.\n",
}
_SUM = "return a / b"
_QUICKER = "return round(a * RECIPROCALS[b], 6)"
_TABLE = "RECIPROCALS = {b: 1 / b for b in range(1, 11)}\n\n\n@tool"


def make_tools_sample(folder: Path) -> Git:
    return make_repository(folder, _FILES)


def try_first(folder: Path) -> None:
    """Change the policy so that candidates are tried on real calls first."""
    policy = folder / "whet.toml"
    policy.write_text(policy.read_text().replace('"hot_reload"', '"canary"'))
    Git(folder).ask("commit", "--quiet", "--all", "--message", "Try changes on real calls first")


def bad_change(folder: Path) -> str:
    """Return a patch that passes every test and fails on calls that no test makes: its table is too short."""
    before = (folder / "calculator.py").read_text()
    after = before.replace(_SUM, _QUICKER).replace("@tool", _TABLE, 1)
    names = ("a/calculator.py", "b/calculator.py")
    return "".join(difflib.unified_diff(before.splitlines(True), after.splitlines(True), *names))  # noqa: FBT003


class Application:
    """The application, in a process of its own. `calls` makes calls and returns how many failed."""

    def __init__(self, folder: Path) -> None:
        program = [sys.executable, str(folder / "application.py")]
        self._process = spawn(program, env={"PYTHONDONTWRITEBYTECODE": "1"}, descriptors=())
        self._one_at_a_time = threading.Lock()

    @property
    def pid(self) -> int:
        return self._process.pid

    def calls(self, count: int, largest: int = 1) -> int:
        """Divide by 0, 1, ... `largest` in turn."""
        assert self._process.stdin and self._process.stdout  # noqa: S101 - spawn always gives pipes
        with self._one_at_a_time:
            self._process.stdin.write(f"{count} {largest}\n".encode())
            self._process.stdin.flush()
            reply = self._process.stdout.readline().decode()
        if not reply.strip().isdigit():
            raise Internal(f"the application of the demo ended: {reply}")
        return int(reply)

    @contextmanager
    def busy(self, largest: int = 20) -> Iterator[None]:
        """Keep calling in the background, as in production. Every call in `largest` + 1 divides by zero."""
        over = threading.Event()

        def work() -> None:
            for _ in itertools.takewhile(lambda _: not over.wait(0.02), itertools.count()):
                self.calls(20, largest)

        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        end(self._process)
