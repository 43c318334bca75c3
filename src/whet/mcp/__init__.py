"""The MCP server: what an agent may read, suggest and have proved. Nothing here can approve, reject or deploy."""
