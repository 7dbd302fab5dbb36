"""Start-up, the first screen, help pages."""
