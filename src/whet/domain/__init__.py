"""The nouns that phases pass to each other: one per file, frozen, without any input or output."""
