"""
Print the size of the house as one table; these are counts and have no goal.

Run as `python -m benchmarks.house`. Not counted, since no program can tell what is
one: tokenizers, rankers, tables of texts.
"""

import logging
import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from benchmarks.house import source, walks

BELOW_UI: Final = ("agent", "citations", "websearch", "text", "untrusted")
PACKAGES: Final = ("ui", *BELOW_UI)
PRODUCT: Final = ("app.py", *PACKAGES)

# What stands right below a package: its folders, and its modules in no folder.
_CYCLES: Final = {
    "pairs of siblings that import each other": source.pairs,
    "siblings in cycles of imports": source.in_cycles,
}

Row = tuple[str, Mapping[str, int]]  # a name, and counts by package


def main() -> None:
    """Print the table, and the names of what stands in cycles to standard error."""
    logging.disable()
    print(_line(("", "all", *PRODUCT)))
    print(_line("---" for _ in ("", "all", *PRODUCT)))
    for name, counts in [*_of_source(), *_of_walks()]:
        cells = (f"{counts[one]:,}" if one in counts else "" for one in PRODUCT)
        print(_line((name, f"{sum(counts.values()):,}", *cells)))
    for package in PACKAGES:
        for name, found in _CYCLES.items():
            if names := found(package):
                sys.stderr.write(f"{package}, {name}: {', '.join(names)}\n")


def _of_source() -> Iterator[Row]:
    """Count what the text of the modules shows."""
    product = {path: source.modules(path) for path in PRODUCT}
    for name, count in source.COUNTS.items():
        yield name, {path: sum(map(count, some)) for path, some in product.items()}
    for name, found in _CYCLES.items():
        yield name, {path: len(found(path)) for path in PACKAGES}
    tests = source.modules("tests")
    yield "lines of tests", {"tests": sum(one.lines for one in tests)}


def _of_walks() -> Iterator[Row]:
    """Count what runs."""
    for name, walk in {
        "Chat question": walks.question,
        "Chat question, nothing configured": walks.question_unconfigured,
        "report": walks.report,
    }.items():
        functions = [module for module, _ in walk()]  # a module for each function
        for kind, names in {"modules": {*functions}, "functions": functions}.items():
            packages = [one.partition(".")[0] for one in names]
            yield f"{kind} of a {name}", {one: packages.count(one) for one in BELOW_UI}
    yield "passes over a finished answer", walks.finished_answer()


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
