"""The sandbox for untrusted code, and `process.py`, the only module of whet that starts processes."""
