"""The seven phases, from observe to learn, each in a folder.

A folder has the Protocol of its engines in `__init__.py`, the phase's functions in `step.py`, and a file per engine.
"""
