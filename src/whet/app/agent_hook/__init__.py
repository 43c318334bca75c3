"""The guard as a hook that coding agents call before they use a tool.

`hook.py` is the entry. It runs before every call of a tool, so modules here import little, and heavy ones where needed.
"""
