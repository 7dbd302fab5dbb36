"""Follow the Markdown of a text while it arrives."""
