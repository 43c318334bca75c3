"""The project's own linters and type checkers, run in the sandbox."""
