"""From signals to findings, and from a finding to the places to look."""
