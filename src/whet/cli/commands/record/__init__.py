"""Commands that read and verify the record."""
