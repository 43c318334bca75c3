"""Readers of code in other languages on a command line. Each yields the effects of the code (`model/effects.py`)."""
