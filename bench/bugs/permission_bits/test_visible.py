from permission_bits import EXECUTE, READ, WRITE, allows, grant, revoke


def test_grant_twice_is_the_same():
    assert grant(grant(0, READ), READ) == READ


def test_revoke_present_flag():
    assert revoke(READ | WRITE, WRITE) == READ


def test_revoke_absent_flag_changes_nothing():
    assert revoke(READ, EXECUTE) == READ


def test_allows():
    assert allows(READ | WRITE, WRITE)
    assert not allows(READ, READ | WRITE)
