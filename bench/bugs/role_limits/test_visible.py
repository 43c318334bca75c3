from role_limits import limit_for, remaining


def test_admin():
    assert limit_for("admin") == 1000


def test_override():
    assert limit_for("editor", {"editor": 5}) == 5


def test_remaining():
    assert remaining("editor", 130) == 0


def test_guest():
    assert remaining("guest", 4) == 6
