"""Value-guided synthesis: find the value that an expression should have, then an expression that has it."""
