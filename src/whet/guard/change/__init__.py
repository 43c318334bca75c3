"""Rules about a change as a whole or about one changed file: size, category, risk, description, whet itself."""
