"""Append-only and hash-chained: the audit trail, and the blackboard on which the phases leave their nouns."""
