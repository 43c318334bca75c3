"""The web server: pages, REST, events and MCP over HTTP. A session or a token may read; neither can approve a change."""
