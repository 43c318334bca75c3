"""Safeguards against a patch that only seems to make tests pass.

The tests import the patch and share a process with it, so the patch can make the test runner report anything. Each
safeguard asks a question that an honest fix and a cheat answer differently, and judges the answer outside the sandbox.
`safeguards/` has one file for each; see docs/adr/0008-safeguards.md.
"""
