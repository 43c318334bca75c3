from invoice_totals import invoice_total


def test_full_discount():
    assert invoice_total([(3, 999)], discount_percent=100, tax_percent=25) == 0


def test_both_again():
    assert invoice_total([(4, 500)], discount_percent=25, tax_percent=20) == 1800


def test_no_lines():
    assert invoice_total([], 10, 10) == 0


def test_rounding_down():
    assert invoice_total([(1, 99)], discount_percent=10, tax_percent=7) == 96
