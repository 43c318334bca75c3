"""`whet serve`: looks at repositories by itself. A light parent process decides when; a child process does the work (ADR 32)."""
