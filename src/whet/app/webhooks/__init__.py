"""Webhooks: events sent to other systems, and prompts of forges to look."""
