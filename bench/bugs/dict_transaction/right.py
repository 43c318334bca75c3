class Transaction:
    """Change a dict inside a with block; undo the changes if it fails."""

    def __init__(self, data):
        self.data = data
        self._saved = None

    def __enter__(self):
        """Save the present state."""
        self._saved = dict(self.data)
        return self.data

    def __exit__(self, exc_type, exc, trace):
        """Restore the saved state after an exception, which goes on."""
        if exc_type is not None:
            self.data.clear()
            self.data.update(self._saved)
        return False
