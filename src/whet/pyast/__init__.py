"""Reading Python source without running it: imports, scopes, the values of names, constant text.

Everything here takes nodes of `ast` and returns names, nodes or texts; nothing decides whether they are good or bad.
"""
