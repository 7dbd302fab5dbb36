"""Folders that tests read."""

from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
SHARED: Final = ROOT.parent / "shared"
