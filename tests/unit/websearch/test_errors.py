"""The tree of errors is the contract, and its table is the one in the documents."""

import pytest

from websearch import errors
from websearch.errors import SearchError

CODES = {
    "InvalidInput",
    "WebProviderError",
    "ToolNotFound",
    "Timeout",
    "WebBlocked",
    "WebParseError",
    "NetworkError",
    "AuthError",
    "BadGateway",
}
# A program above may have an error of its own.
KINDS = [k for k in SearchError.__subclasses__() if k.__module__ == errors.__name__]


@pytest.mark.spec("H8")
def test_codes() -> None:
    """The codes are those of the contract, each on a class of the same name."""
    found = {kind.__name__: kind.code for kind in KINDS}

    assert found == {code: code for code in CODES}


def test_an_error_of_an_engine_outside() -> None:
    """A class below one of the contract's has the contract's code."""
    below = type("OwnRefusal", (errors.WebBlocked,), {})

    assert below("refused").code == "WebBlocked"


@pytest.mark.spec("H8")
def test_table() -> None:
    """The table in the docstring has a row for each class and tells the truth."""
    rows = [line for line in (errors.__doc__ or "").splitlines() if "| `" in line]
    told = {row.split("`")[1]: "| yes |" in row for row in rows}

    assert told == {kind.code: kind.retryable for kind in KINDS}
