"""Look for findings, read those of the last cycle, and record suggestions."""
