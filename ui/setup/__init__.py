"""The set-up page: key, address and model, and search, without an editor."""
