"""Language models: providers, prices, and the budget of their requests. Nothing here decides about a change."""
