"""Measure the evidence of cited sentences: quality on labelled answers, and time."""
