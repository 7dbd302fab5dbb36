"""The user interface: all code for Chainlit, and all texts of the page."""
