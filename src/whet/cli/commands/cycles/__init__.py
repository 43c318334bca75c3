"""Commands that look for findings and run cycles."""
