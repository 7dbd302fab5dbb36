"""Start-up, the welcome screen, help pages."""
