"""Commands that prove a change and verify a proof."""
