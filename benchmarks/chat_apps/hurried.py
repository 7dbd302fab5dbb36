"""Our app, sweeping each second, with the settings of the folder it starts in."""

from typing import Final

from benchmarks.servers import ROOT
from ui import lifecycle

SWEEP_SECONDS: Final = 1

lifecycle.SWEEP_SECONDS = SWEEP_SECONDS  # type: ignore[misc]  # it is final to all others
exec(compile((ROOT / "app.py").read_text("utf-8"), ROOT / "app.py", "exec"))
