"""A repository with several packages: which of them a change affects, and their suites."""
