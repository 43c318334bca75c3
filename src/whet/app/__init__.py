"""The operations that the command line and the Python API offer. Only this package picks concrete engines."""
