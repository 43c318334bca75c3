"""What commands print for people: tables, evidence, coloured diffs."""
