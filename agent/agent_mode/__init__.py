"""Agent mode: the model decides what to search."""
