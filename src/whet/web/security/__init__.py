"""The checks before a handler runs: the caller, the page of origin, the rate and the size."""
