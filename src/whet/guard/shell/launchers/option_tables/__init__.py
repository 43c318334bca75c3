"""Tables of programs that start other code: by which options, operands and settings, one file per kind of program.

The facts come from the programs' manual pages and from public lists of programs that can start others. `model.py` says
what a row means, `follow.py` judges a call by its row.
"""
