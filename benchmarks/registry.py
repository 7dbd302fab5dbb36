"""Every benchmark, in the order of the table; a new one is one more line here."""

from typing import Final

from benchmarks import imports, memory, rivals, search
from benchmarks.result import Benchmark, Goal

BENCHMARKS: Final = (
    Benchmark("search-cpu", "x httpx", Goal("<=", 1.6), search.cpu),
    Benchmark("search-vs-langchain", "x wrapper", Goal("<", 1), rivals.langchain),
    Benchmark("search-vs-oneshot", "x one-shot", Goal("<", 1), rivals.one_shot),
    Benchmark("search-concurrent", "lost + clients", Goal("=", 0), search.concurrent),
    Benchmark("import-time", "x httpx+pydantic", Goal("<=", 1.5), imports.time),
    Benchmark("import-light", "modules", Goal("=", 0), imports.light),
    Benchmark("memory-hostile", "MB", Goal("<=", 20), memory.hostile),
)
