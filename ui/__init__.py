"""Everything that knows Chainlit, and every word the user reads."""
