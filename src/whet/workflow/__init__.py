"""The steps of `cycle` and `carry`: each phase function as a durable step that is recorded in the ledger."""
