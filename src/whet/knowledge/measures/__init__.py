"""Measures of a change: benchmarks, where they spend their time, and evaluations of texts."""
