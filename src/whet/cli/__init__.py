"""The command line: parse, call the app, show. No decisions are made here."""
