"""Commands about proposals and the answers of people."""
