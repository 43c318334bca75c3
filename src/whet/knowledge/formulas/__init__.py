"""Declared formulas: where they are, what they answer in the sandbox, and whether their cases and properties hold."""
