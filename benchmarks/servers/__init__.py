"""Loopback servers for the benchmarks, each in a process of its own."""

from benchmarks.servers.running import ROOT, measured, serving

__all__ = ["ROOT", "measured", "serving"]
