"""The binding to DBOS, the durable engine. No other package imports DBOS."""

from whet.durable.engine import Engine, wake

__all__ = ["Engine", "wake"]
