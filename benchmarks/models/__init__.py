"""Real language models on a real server, for tests and benchmarks."""

from benchmarks.models.llama import Llama, llama
from benchmarks.models.packages import Unavailable, installed, weights

__all__ = ["Llama", "Unavailable", "installed", "llama", "weights"]
