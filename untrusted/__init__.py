"""Clean and check foreign text and addresses."""
