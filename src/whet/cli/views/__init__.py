"""Views of results for people: tables, evidence, coloured diffs."""
