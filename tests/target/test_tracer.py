"""The lines of the tracer are parsed; any other line is ignored."""

import pytest

from whet.target.tracer import TracedTest, _traced_test


def test_a_line_of_the_tracer_is_parsed() -> None:
    line = b'{"test": "t.py::a", "outcome": "passed", "lines": {"m.py": [1, 2]}, "jumps": {"m.py": [[1, 2]]}}'
    lines, jumps = {"m.py": frozenset({1, 2})}, {"m.py": frozenset({(1, 2)})}
    assert _traced_test(line) == TracedTest("t.py::a", "passed", lines, jumps)


@pytest.mark.parametrize(
    "line",
    [
        b"", b"passed", b"[]", b"3", b"null", b'{"end": true}', b'{"test": "a", "outcome": "passed", "seconds": 0.0}',
        b'{"test": "a", "outcome": "passed", "lines": [1]}', b'{"test": "a", "outcome": "passed", "lines": {"m": ["x"]}}',
        b'{"test": "a", "outcome": "passed", "lines": {"m": [1]}}',
        b'{"test": "a", "outcome": "passed", "lines": {"m": [1]}, "jumps": {"m": [1]}}',
        b'{"test": "a", "outcome": "passed", "lines": {"m": [1]}, "jumps": {"m": [[1, 2, 3]]}}', b"\xff\xfe", b"[" * 100_000,
        b'{"test": "a", "outcome": "passed", "lines": {"m": [1e999]}, "jumps": {}}',
    ],
)  # fmt: skip
def test_any_other_line_is_ignored(line: bytes) -> None:
    assert _traced_test(line) is None
