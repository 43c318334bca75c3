from discount_rules import amount_due


def test_stranger_pays_all():
    assert amount_due({}, 50) == 50


def test_member_with_large_order():
    assert amount_due({"member": True}, 200) == 180


def test_member_with_small_order():
    assert amount_due({"member": True}, 50) == 45


def test_blocked():
    assert amount_due({"member": True, "blocked": True}, 200) == 200
