"""The agent engine: a coding agent of the user's choice works on a copy of the tree in the sandbox."""
