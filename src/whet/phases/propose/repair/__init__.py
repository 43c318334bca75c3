"""Search-based repair: try small edits at suspicious places until the failing tests pass."""
