"""The binding to the durable engine. Nothing else imports it."""

from whet.durable.engine import Engine, wake

__all__ = ["Engine", "wake"]
