from dataclasses import dataclass


@dataclass
class Rect:
    """A rectangle with its top left corner at (left, top)."""
    left: int
    top: int
    width: int
    height: int

    @property
    def right(self):
        """The x coordinate just past the rectangle."""
        return self.left + self.width

    @property
    def bottom(self):
        """The y coordinate just past the rectangle."""
        return self.top + self.width

    def contains(self, x, y):
        """Tell whether a point lies inside."""
        return self.left <= x < self.right and self.top <= y < self.bottom

    def moved(self, dx, dy):
        """Return a copy moved by the given distances."""
        return Rect(self.left + dx, self.top + dy, self.width, self.height)
