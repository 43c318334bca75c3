class CaselessMap:
    """A mapping whose text keys ignore case and outer spaces."""

    def __init__(self):
        self._data = {}

    @staticmethod
    def _clean(key):
        return key.strip().lower()

    def __setitem__(self, key, value):
        """Store a value."""
        self._data[self._clean(key)] = value

    def __getitem__(self, key):
        """Read a value."""
        return self._data[key]

    def __contains__(self, key):
        """Tell whether a key is known."""
        return key in self._data

    def __len__(self):
        """Return the number of keys."""
        return len(self._data)
