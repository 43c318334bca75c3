"""Deployed versions: compare, merge, restore and roll back."""
