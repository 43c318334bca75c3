"""A whet plug-in: expired TODO comments as findings, and their removal as proposals."""
