"""Which code a failing test makes suspicious, from the lines that it and passing tests run."""
