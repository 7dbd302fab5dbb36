"""Who may reach the server, and what its page may load."""
