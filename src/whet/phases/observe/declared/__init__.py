"""Sources that follow declarations of whet.toml through the commit."""
