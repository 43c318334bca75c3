"""Find suspicious code from the lines that a failing test and passing tests run."""
