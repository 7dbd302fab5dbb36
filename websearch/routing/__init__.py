"""Which engines a search asks, in which order, how often and for how long."""
