"""Rules that decide whether a change may be made: pure functions of the resulting tree and the policy.

Each rule is a function in a short file of its own. A new rule is a new file, its tests, and a line in `judge`.
"""
