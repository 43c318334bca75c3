"""A class is trusted only if its special methods, and everything they use, are the same as before."""

import pytest

from whet.phases.validate.integrity.oracle.class_protocols import has_same_protocols

OLD = (
    "def plain(value):\n    return str(value)\n\nclass V:\n    def __eq__(self, other):\n        return plain(self) == plain(other)\n"
    "    def bump(self):\n        return None\n"
)  # fmt: skip


@pytest.mark.parametrize(
    ("new", "same"),
    [
        (OLD, True),
        (OLD.replace("return None", "return V()"), True),
        (OLD.replace("return plain(self) == plain(other)", "return True"), False),
        (OLD.replace("return str(value)", "return ''"), False),
        (OLD + "    def __hash__(self):\n        return 1\n", False),
        (OLD.replace("class V:", "class V(Any):"), False),
        (OLD + "V.__eq__ = lambda self, other: True\n", False),
        (OLD + "V = make()\n", False),
        (OLD.replace("class V", "class W"), False),
    ],
)
def test_a_class_is_compared_by_its_special_methods(new: str, same: bool) -> None:
    assert has_same_protocols(OLD, new, "V") is same
