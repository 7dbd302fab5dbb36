"""Benchmarks of follow-up questions: what is searched of their meaning."""
