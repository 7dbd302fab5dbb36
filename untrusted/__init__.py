"""Make strangers' text and addresses harmless."""
