"""Test files that whet writes: from a suggested case and from captured calls. They ship with the fix."""
