"""Measure reading pages, and the passages that are taken from them."""
