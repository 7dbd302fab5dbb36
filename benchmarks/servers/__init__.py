"""Loopback servers for the benchmarks, each in a process of its own."""

from benchmarks.servers.running import ROOT, serving

__all__ = ["ROOT", "serving"]
