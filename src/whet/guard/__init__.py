"""Whether a change may be made at all: pure functions of the resulting tree and the policy.

A rule is a function in a short file of its own; adding one adds that file, its tests, and its name in `judge`.
"""
