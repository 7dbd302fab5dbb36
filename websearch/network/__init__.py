"""One HTTP client behind every engine."""
