"""Prove changes, attest proofs, and compare the sandbox with a run outside it."""
