"""Which language model answers, and how it is reached."""
