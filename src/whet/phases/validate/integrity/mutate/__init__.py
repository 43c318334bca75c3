"""Rewriting of source files: mutated expectations, rephrased tests, gutted functions."""
