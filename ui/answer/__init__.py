"""Draw an answer while it arrives."""
