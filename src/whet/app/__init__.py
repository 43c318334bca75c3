"""Wiring, and the functions that a client calls. The only place that picks concrete engines."""
