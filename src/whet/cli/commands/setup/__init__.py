"""Commands that set whet up and check it."""
