"""The ten promises that `whet audit` checks against the ledger: 1 to 4 block, 5 to 10 raise an alert."""
