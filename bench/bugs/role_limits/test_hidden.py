from role_limits import DEFAULT_LIMIT, limit_for, remaining


def test_unknown_role():
    assert limit_for("nobody") == DEFAULT_LIMIT


def test_unknown_role_with_other_overrides():
    assert limit_for("nobody", {"admin": 1}) == 10


def test_override_of_zero():
    assert remaining("admin", 0, {"admin": 0}) == 0


def test_empty_role():
    assert remaining("", 10) == 0
