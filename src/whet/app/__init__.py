"""Wiring, and what a client can ask for. The only place that picks concrete engines."""
