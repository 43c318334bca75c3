"""Runs of the suite in other ways than the plain one: instrumented files, doctests alone."""
