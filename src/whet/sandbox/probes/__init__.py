"""Probes: attempts to get out of the sandbox. Each must succeed on the host and fail inside.

`whet doctor --probe` runs them all, through whet.sandbox.escape_check.
"""
