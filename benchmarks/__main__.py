"""Measure all benchmarks or one, print the table, write the file."""

import argparse
import logging
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from benchmarks.registry import BENCHMARKS
from benchmarks.result import Benchmark, Result, Skipped, table, write

logger = logging.getLogger(__name__)

HELD: Final = 0
MISSED: Final = 1
RESULTS: Final = Path(__file__).with_name("results.json")


def main(argv: Sequence[str] | None = None) -> int:
    """Exit with 0 if every goal holds, 1 if one is missed, 2 for wrong usage."""
    arguments = _parser().parse_args(argv)
    logging.basicConfig(level=logging.ERROR, format="%(levelname)s: %(message)s")
    for name in [name for name in os.environ if name.lower().endswith("_proxy")]:
        del os.environ[name]  # other clients would send loopback requests to a proxy
    chosen = [b for b in BENCHMARKS if arguments.name in (None, b.name)]
    results = [result for b in chosen if (result := _run(b)) is not None]
    print(table(results))
    write(results, arguments.output)
    return HELD if all(result.holds for result in results) else MISSED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    names = [benchmark.name for benchmark in BENCHMARKS]
    parser.add_argument(
        "name", nargs="?", choices=names, metavar="NAME", help=", ".join(names)
    )
    parser.add_argument(
        "--output", type=Path, default=RESULTS, metavar="PATH", help="file to write"
    )
    return parser


def _run(benchmark: Benchmark) -> Result | None:
    """Measure, and print the numbers behind the figure to standard error."""
    try:
        figure = benchmark.measure()
    except Skipped as reason:
        print(f"{benchmark.name}: skipped: {reason}", file=sys.stderr, flush=True)
        return None
    except Exception:
        # A broken benchmark must neither pass nor keep the others from running.
        logger.exception("%s failed", benchmark.name)
        return benchmark.result(None)
    print(f"{benchmark.name}: {figure.details}", file=sys.stderr, flush=True)
    return benchmark.result(figure.value)


if __name__ == "__main__":
    sys.exit(main())
