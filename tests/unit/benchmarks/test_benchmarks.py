"""The benchmarks can fail, and leave a file that others can read."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks import __main__ as command
from benchmarks.registry import BENCHMARKS
from benchmarks.result import Benchmark, Figure, Goal, table, write
from benchmarks.servers import ROOT

WITH_GOALS = [entry for entry in BENCHMARKS if entry.goal]
GOOD = Benchmark("good", "x", Goal("<=", 2), lambda: Figure(2.0, "as told"))
BAD = Benchmark("bad", "x", Goal("<", 2), lambda: Figure(2.0))


def _broken() -> Figure:
    raise RuntimeError("nothing measured")


BROKEN = Benchmark("broken", "x", Goal("<", 2), _broken)


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "benchmarks", *arguments],
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_names_are_unique() -> None:
    """No two benchmarks share a name."""
    names = [benchmark.name for benchmark in BENCHMARKS]

    assert len(names) == len(set(names))


@pytest.mark.parametrize("entry", WITH_GOALS, ids=lambda entry: entry.name)
def test_every_goal_can_be_missed(entry: Benchmark) -> None:
    """A figure just beyond its bound, NaN, or none at all does not hold."""
    assert entry.goal is not None
    beyond = -0.0001 if entry.goal.sign == ">=" else 0.0001

    assert not entry.result(entry.goal.limit + beyond).holds
    assert not entry.result(float("nan")).holds
    assert not entry.result(None).holds


def test_a_figure_without_a_goal_must_be_measured() -> None:
    """A figure without a goal holds unless its measurement failed."""
    entry = Benchmark("reported", "x", None, lambda: Figure(2.0))

    assert entry.result(2.0).holds
    assert entry.result(2.0).goal == ""
    assert not entry.result(None).holds


@pytest.mark.parametrize("entry", WITH_GOALS, ids=lambda entry: entry.name)
def test_every_goal_can_be_reached(entry: Benchmark) -> None:
    """The best that can be is better than any goal asks for."""
    assert entry.goal is not None
    assert entry.result(1e9 if entry.goal.sign == ">=" else 0).holds


@pytest.mark.parametrize(
    ("sign", "holds"), [("<", False), ("<=", True), (">=", True), ("=", True)]
)
def test_the_bound_itself_counts_where_the_sign_says_so(sign: Any, holds: bool) -> None:
    """A value that equals the bound holds, except for `<`."""
    assert Goal(sign, 1.5).is_met(1.5) is holds


def test_rounding_does_not_help() -> None:
    """The measured value is judged, not the one that is shown."""
    result = GOOD.result(2.0001)

    assert result.value == 2.0
    assert not result.holds


def test_the_file_holds_a_list_of_rows(tmp_path: Path) -> None:
    """Each row has the five keys, and whether it holds is a boolean."""
    path = tmp_path / "results.json"

    write([GOOD.result(1.5), BAD.result(None)], path)

    assert json.loads(path.read_text()) == [
        {"name": "good", "value": 1.5, "unit": "x", "goal": "<= 2", "holds": True},
        {"name": "bad", "value": None, "unit": "x", "goal": "< 2", "holds": False},
    ]


def test_the_table_shows_what_failed() -> None:
    """A row that misses its goal stands out, and one without a value says so."""
    _, good, bad, broken = table(
        [GOOD.result(1.5), BAD.result(9), BROKEN.result(None)]
    ).splitlines()

    assert good.split() == ["good", "1.5", "x", "<=", "2", "yes"]
    assert bad.split() == ["bad", "9", "x", "<", "2", "NO"]
    assert broken.split() == ["broken", "failed", "x", "<", "2", "NO"]


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


def test_one_benchmark_runs_from_the_command_line(tmp_path: Path) -> None:
    """The named benchmark runs alone, prints its row and writes the file."""
    path = tmp_path / "results.json"

    done = run("import-light", "--output", str(path))

    assert done.returncode == 0, done.stderr
    assert [line.split()[0] for line in done.stdout.splitlines()] == [
        "name",
        "import-light",
    ]
    assert [row["name"] for row in json.loads(path.read_text())] == ["import-light"]


def test_an_unknown_name_is_wrong_usage(tmp_path: Path) -> None:
    """It ends with 2, lists the names that exist, and writes nothing."""
    path = tmp_path / "results.json"

    done = run("no-such-thing", "--output", str(path))

    assert done.returncode == 2
    assert all(benchmark.name in done.stderr for benchmark in BENCHMARKS)
    assert not path.exists()


def test_results_go_beside_the_code_unless_told_otherwise() -> None:
    """The default path is the one that git ignores."""
    ignored = Path(ROOT, ".gitignore").read_text().splitlines()

    assert command.RESULTS == ROOT / "benchmarks" / "results.json"
    assert "benchmarks/results.json" in ignored
