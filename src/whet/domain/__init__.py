"""The nouns that the phases hand on: one per file, frozen, no input or output."""
