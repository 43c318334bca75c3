"""The seven verbs. Each folder: its Protocol, `step.py` (the phase function), one file per engine."""
