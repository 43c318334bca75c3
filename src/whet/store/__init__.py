"""Storage: the database (SQLite by default, PostgreSQL by URL), recorded tool calls and module versions."""
