"""A real model on a real server, chosen by MODEL; skipped where it can't be had."""

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest
from support.model.real_model import Start, places
from support.pages.pages_web import PagesWeb

from benchmarks.models import Llama, Unavailable, llama, weights

# `make test-model` names the model; without it nothing of 400 MB is fetched.
collect_ignore = [] if "MODEL" in os.environ else ["test_litellm.py"]


@pytest.fixture(scope="session")
def model_file() -> Path:
    """The weights, fetched once."""
    try:
        return weights(os.environ.get("MODEL") or "smollm2")
    except Unavailable as reason:
        pytest.skip(str(reason))


@pytest.fixture(scope="session")
def start_llama(model_file: Path) -> Start:
    """Start a server of the model with these options."""

    def start(**options: Any) -> AbstractContextManager[Llama]:
        return llama(model_file, **options)

    return start


@pytest.fixture(scope="module")
def server(start_llama: Start) -> Iterator[Llama]:
    """A server with room for 8,192 tokens."""
    with start_llama() as started:
        yield started


@pytest.fixture(scope="module")
def web() -> Iterator[PagesWeb]:
    """Three short pages about invented places."""
    with places() as served:
        yield served
