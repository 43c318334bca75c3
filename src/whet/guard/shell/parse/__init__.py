"""Parse command texts with tree-sitter, and expand their words as bash does."""
