"""Test files that whet writes: from a suggested case and from recorded calls. They ship with the fix."""
