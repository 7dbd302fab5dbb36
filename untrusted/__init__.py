"""Clean and check the text and the addresses that strangers wrote."""
