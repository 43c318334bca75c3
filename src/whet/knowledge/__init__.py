"""The pattern library: fixes that worked, in general form, and how to apply them elsewhere."""
