from discount_rules import amount_due, gets_discount


def test_stranger_with_large_order():
    assert amount_due({}, 100) == 90


def test_stranger_just_below():
    assert amount_due({"member": False}, 99) == 99


def test_blocked_stranger():
    assert amount_due({"blocked": True}, 500) == 500


def test_member_with_nothing():
    assert gets_discount({"member": True}, 0)
