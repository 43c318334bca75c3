"""Verify the record, and compare it with what is kept outside it."""
