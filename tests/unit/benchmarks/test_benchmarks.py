"""The benchmarks can fail, and leave a file that others can read."""

import json
from math import nan
from pathlib import Path

import pytest

from benchmarks import __main__ as command
from benchmarks.registry import BENCHMARKS
from benchmarks.result import Benchmark, Figure, table
from benchmarks.servers import ROOT

WITH_GOALS = [entry for entry in BENCHMARKS if entry.goal]
GOOD = Benchmark("good", "x", "<= 2", lambda: Figure(2.0, "as told"))
BAD = Benchmark("bad", "x", "= 1", lambda: Figure(2.0))


def _broken() -> Figure:
    raise RuntimeError("nothing measured")


BROKEN = Benchmark("broken", "x", "= 1", _broken)


def test_names_are_unique() -> None:
    """No two benchmarks share a name."""
    names = [benchmark.name for benchmark in BENCHMARKS]

    assert len(names) == len(set(names))


@pytest.mark.parametrize("entry", WITH_GOALS, ids=lambda entry: entry.name)
def test_every_goal_can_be_met_and_missed(entry: Benchmark) -> None:
    """The best that can be holds; just beyond the bound, NaN, and nothing do not."""
    sign, limit = entry.goal.split()
    is_least = sign == ">="

    assert entry.result(1e9 if is_least else 0).holds
    for value in (float(limit) + (-0.0001 if is_least else 0.0001), nan, None):
        assert not entry.result(value).holds


def test_a_figure_without_a_goal_must_be_measured() -> None:
    """A figure without a goal holds unless its measurement failed."""
    entry = Benchmark("reported", "x", "", lambda: Figure(2.0))

    assert entry.result(2.0).holds
    assert not entry.result(None).holds


@pytest.mark.parametrize("sign", ["<=", ">=", "="])
def test_the_bound_itself_counts(sign: str) -> None:
    """A value that equals the bound holds."""
    assert Benchmark("equal", "x", f"{sign} 1.5", lambda: Figure(1.5)).result(1.5).holds


def test_the_table_shows_what_failed() -> None:
    """A row that misses its goal stands out, and one without a value says so."""
    _, good, bad, broken = table(
        [GOOD.result(1.5), BAD.result(9), BROKEN.result(None)]
    ).splitlines()

    assert good.split() == ["good", "1.5", "x", "<=", "2", "yes"]
    assert bad.split() == ["bad", "9", "x", "=", "1", "NO"]
    assert broken.split() == ["broken", "failed", "x", "=", "1", "NO"]


@pytest.mark.parametrize(
    ("entries", "status"), [([GOOD], 0), ([GOOD, BAD], 1), ([BROKEN, GOOD], 1)]
)
def test_the_exit_status_tells_of_a_missed_goal(
    entries: list[Benchmark],
    status: int,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    """Status 1 where a goal is missed or a benchmark breaks; all others still run."""
    monkeypatch.setattr(command, "BENCHMARKS", entries)
    path = tmp_path / "results.json"

    assert command.main(["--output", str(path)]) == status
    assert len(json.loads(path.read_text())) == len(entries)


def test_one_benchmark_runs_from_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The named benchmark runs alone, prints its row and writes the file."""
    path = tmp_path / "results.json"

    code = command.main(["import-light", "--output", str(path)])

    head, row = capsys.readouterr().out.splitlines()
    assert (code, head.split()[0], row.split()[0]) == (0, "name", "import-light")
    (written,) = json.loads(path.read_text())
    assert written.keys() == {"name", "value", "unit", "goal", "holds"}
    assert written["holds"] is True


def test_an_unknown_name_is_wrong_usage(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It ends with 2, lists the names that exist, and writes nothing."""
    path = tmp_path / "results.json"

    with pytest.raises(SystemExit) as ended:
        command.main(["no-such-thing", "--output", str(path)])

    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert all(benchmark.name in said for benchmark in BENCHMARKS)
    assert not path.exists()


def test_results_go_beside_the_code_unless_told_otherwise() -> None:
    """The default path is the one that git ignores."""
    ignored = Path(ROOT, ".gitignore").read_text().splitlines()

    assert command.RESULTS == ROOT / "benchmarks" / "results.json"
    assert "benchmarks/results.json" in ignored
