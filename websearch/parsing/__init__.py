"""Parse strangers' bytes in worker processes: pages to read, and pages of results."""
