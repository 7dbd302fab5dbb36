"""Small Chainlit apps to compare ours with, and a client that starts and asks them."""
