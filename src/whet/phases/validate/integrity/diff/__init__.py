"""What a patch adds to a file: its new conditions, and a copy of the file that reports how they come out."""
