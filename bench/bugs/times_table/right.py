def times_table(size):
    """Return the rows of the multiplication table up to size."""
    rows = []
    for i in range(1, size + 1):
        row = []
        for j in range(1, size + 1):
            row.append(i * j)
        rows.append(row)
    return rows


def render(rows):
    """Format rows of numbers in columns of equal width."""
    width = max(len(str(n)) for row in rows for n in row)
    return "\n".join(" ".join(str(n).rjust(width) for n in row) for row in rows)
