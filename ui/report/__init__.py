"""A research report on the page: its steps, its plan, its text, its files."""
