"""Rules about the lines that a change adds. Each rule yields remarks with a line and a severity.

`rules.py` lists them. `wording.py` applies some of them to text that is not code: suggestions, lessons, descriptions.
"""
