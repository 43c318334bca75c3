"""What a change writes: one set of rules, each in a file of its own, each remark with its line and its severity.

`rules.py` lists them. The same rules judge patches, and (`words.py`) what is suggested, learned and said about a patch.
"""
