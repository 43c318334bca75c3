def line_total(quantity, unit_cents):
    """Return the price of one invoice line in cents."""
    return quantity * unit_cents


def invoice_total(lines, discount_percent=0, tax_percent=0):
    """Return the amount due in cents; tax is taken on the discounted sum."""
    subtotal = sum(line_total(q, price) for q, price in lines)
    discounted = subtotal - subtotal * discount_percent // 100
    tax = discounted * tax_percent // 100
    return discounted + tax
