"""Who asks, from which page, how often and how much: the checks before a handler runs."""
