"""Storage: the database (SQLite by default, PostgreSQL by URL), captured tool calls and module versions."""
