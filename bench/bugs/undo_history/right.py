class UndoHistory:
    """Remember the states of a document for undo and redo."""

    def __init__(self, state):
        self.state = state
        self._past = []
        self._future = []

    def change(self, state):
        """Move on to a new state; what was undone is forgotten."""
        self._past.append(self.state)
        self._future.clear()
        self.state = state

    def undo(self):
        """Go back one state, if there is one."""
        if self._past:
            self._future.append(self.state)
            self.state = self._past.pop()

    def redo(self):
        """Take back the last undo, if there is one."""
        if self._future:
            self._past.append(self.state)
            self.state = self._future.pop()
