"""Follow Markdown blocks as an answer arrives."""
