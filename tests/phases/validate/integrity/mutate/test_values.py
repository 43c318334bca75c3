"""Mutated values differ from the expected ones and look like them."""

import pytest

from whet.phases.validate.integrity.mutate.values import different_value, distant_values, literal_node


@pytest.mark.parametrize(
    "value", [0, 7, -1, 2.5, 1e300, 3j, "", "a", "7", "tea time", b"x", b"\xff", [], [1, 2], (), (1,), {1}, {"a": [1]}, {}, True, None]
)  # fmt: skip
def test_a_mutated_value_differs_and_has_the_same_type(value: object) -> None:
    for _ in range(30):
        other = different_value(value)
        assert other != value
        assert type(other) is type(value) or value is None
        assert literal_node(other) is not None
    assert all(far != value for far in distant_values(value))
