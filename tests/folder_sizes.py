"""Fail where a folder holds more modules than a newcomer reads to find one."""

import sys
from collections import Counter
from pathlib import Path

LIMIT = 16
FOLDERS = ("websearch", "citations", "agent", "ui", "text", "untrusted")
FOLDERS += ("deploy", "benchmarks", "tests/support")


def main() -> int:
    """Print each folder over the limit."""
    modules = (p for f in FOLDERS for p in Path(f).rglob("*.py"))
    count = Counter(p.parent for p in modules if p.name != "__init__.py")
    crowded = {folder: n for folder, n in count.items() if n > LIMIT}
    for folder, n in crowded.items():
        sys.stderr.write(f"{folder} has {n} modules; {LIMIT} is the most\n")
    return 1 if crowded else 0


if __name__ == "__main__":
    sys.exit(main())
