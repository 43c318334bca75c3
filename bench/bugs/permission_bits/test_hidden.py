from permission_bits import EXECUTE, READ, WRITE, allows, grant, revoke


def test_revoke_from_nothing():
    assert revoke(0, READ) == 0


def test_revoke_several_of_which_one_is_set():
    assert revoke(READ | EXECUTE, READ | WRITE) == EXECUTE


def test_revoke_all():
    assert revoke(7, 7) == 0


def test_revoke_twice():
    assert revoke(revoke(7, WRITE), WRITE) == 5


def test_grant_then_allows():
    assert allows(grant(READ, EXECUTE), EXECUTE)
