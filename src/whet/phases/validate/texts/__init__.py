"""Checks of files that no test runs: prompts, workflows and other texts, and the structure of settings files."""
