"""Calls of changed functions with varied arguments, asked in the sandbox."""
