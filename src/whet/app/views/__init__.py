"""The record, read for a client: proposals, ledger rows, trials."""
