from invoice_totals import invoice_total


def test_plain_sum():
    assert invoice_total([(2, 150), (1, 700)]) == 1000


def test_tax():
    assert invoice_total([(1, 1000)], tax_percent=20) == 1200


def test_discount():
    assert invoice_total([(1, 1000)], discount_percent=10) == 900


def test_discount_and_tax():
    assert invoice_total([(1, 1000)], discount_percent=50, tax_percent=10) == 550
