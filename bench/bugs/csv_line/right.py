def quote_cell(cell):
    """Quote a cell of any type if its text needs it; None becomes empty."""
    if cell is None:
        return ""
    text = str(cell)
    if "," in text or '"' in text:
        return '"' + text.replace('"', '""') + '"'
    return text


def csv_row(cells):
    """Join cells into one line of comma separated values."""
    return ",".join(quote_cell(cell) for cell in cells)
