"""Set whet up in a repository, and check that it works there."""
