def section_totals(text):
    """Add up the numbers below each [section] heading; blank lines end a section."""
    totals = {}
    total = 0
    for block in text.strip().split("\n\n"):
        heading, *amounts = block.splitlines()
        for amount in amounts:
            total += int(amount)
        totals[heading.strip("[]")] = total
    return totals


def largest_section(text):
    """Return the name of the section with the largest total."""
    totals = section_totals(text)
    return max(totals, key=totals.get)
