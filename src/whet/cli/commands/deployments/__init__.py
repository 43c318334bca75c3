"""Commands about deployed versions."""
