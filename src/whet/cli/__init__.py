"""The command line: parse, call the app, show. No decisions are made here."""

from whet.cli.main import main

__all__ = ["main"]
