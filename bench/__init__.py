"""Benchmarks: each prints ratios against a named peer in the same run. `make bench` runs them all."""
