"""The file of planted tests lies beside an existing test file and is named like it."""

import pytest

from whet.phases.validate.integrity.planted_file import plant


@pytest.mark.parametrize(
    ("neighbour", "begins", "ends"),
    [
        ("tests/test_a.py", "tests/test_", ".py"),
        ("a_test.py", "test_", ".py"),
        ("tests.py", "test_", ".py"),
        ("spec/spec_calc.py", "spec/spec_", ".py"),
        ("spec/calc_spec.py", "spec/", "_spec.py"),
    ],
)
def test_planted_tests_are_named_like_their_neighbours(neighbour: str, begins: str, ends: str) -> None:
    path = plant(neighbour).path
    assert path.startswith(begins)
    assert path.endswith(ends)
    assert path != plant(neighbour).path
