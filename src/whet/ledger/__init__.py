"""The ledger: an append-only, hash-chained list of entries. Phases read and write their nouns here, and it is the audit
trail."""
