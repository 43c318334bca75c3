"""Types and facts that all parts of the shell guard share: calls, shell state, placeholders, paths, programs."""
