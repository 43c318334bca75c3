"""Ways out of the sandbox, to be tried: each must work outside and fail inside. `whet doctor --probe` runs them."""
