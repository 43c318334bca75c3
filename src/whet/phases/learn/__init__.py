"""What each ending teaches, kept in the ledger."""
