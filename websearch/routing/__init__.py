"""Choose the engines of a search, their order, rate limits and time limits."""
