from collections import OrderedDict


class RecentCache:
    """Keep the most recently used values, up to a capacity."""

    def __init__(self, capacity):
        self.capacity = capacity
        self._data = OrderedDict()

    def get(self, key, default=None):
        """Return a cached value and mark it as recently used."""
        if key not in self._data:
            return default
        self._data.move_to_end(key)
        return self._data[key]

    def put(self, key, value):
        """Store a value, dropping the least recently used one if full."""
        self._data[key] = value
        self._data.move_to_end(key)
        if len(self._data) > self.capacity:
            self._data.popitem(last=False)

    def keys(self):
        """List the keys from least to most recently used."""
        return list(self._data)
