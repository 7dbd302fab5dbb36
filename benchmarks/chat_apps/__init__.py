"""Small Chainlit apps to compare ours with, and what starts and asks them all."""
