"""The people who may approve, and their answers at the gates."""
