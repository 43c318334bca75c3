"""Predict what a command prints, because pipes and substitutions pass it on to other commands."""
