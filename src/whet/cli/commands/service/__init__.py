"""Commands about whet as a service, its switch and its clients."""
