"""Run cycles: for real, dry, for named tests, or as a worker for another machine."""
