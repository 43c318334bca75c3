"""Record what agents object to and ask, and what people reply. Nothing here decides about a change."""
