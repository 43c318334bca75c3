"""Read the difference between two texts of a file: new conditions, literals, types and comparisons."""
