"""Compare what changed functions answer to inputs near those of the tests, with the patch and on the base."""
