"""Edits grown from a grammar over what is in scope, for mistakes that no template names."""
