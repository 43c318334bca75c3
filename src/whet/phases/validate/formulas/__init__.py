"""The check of declared formulas, and the comparison of base and patch behind it."""
