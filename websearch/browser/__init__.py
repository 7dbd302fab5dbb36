"""Render pages in one headless browser a process; Playwright is optional."""
