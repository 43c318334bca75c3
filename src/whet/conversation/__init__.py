"""Questions to language models: prompts that quote untrusted text, and answers that stay on record."""
