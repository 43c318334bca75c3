"""Kinds of changes that the policy denies, recognised from what a change touches and not from its label."""
