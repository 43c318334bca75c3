"""Rules about the paths and modes of changed files, and the path patterns that they use."""
