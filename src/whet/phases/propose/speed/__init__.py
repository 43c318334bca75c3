"""Rewrites of Python functions that may make them faster."""
