"""Commands about what whet has learned."""
