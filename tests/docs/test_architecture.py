"""docs/architecture.md knows every module, and the house keeps its rules."""

import re
from pathlib import Path

import pytest
from support.paths import ROOT

PACKAGES = ("untrusted", "text", "websearch", "citations", "agent", "ui")
# Where Chinese may stand in code: words for the reader or for the model.
CHINESE = {"agent/prompts.py", "agent/agent_mode/prompts.py"}
CHINESE |= {"agent/__main__.py"}  # headings of what `ask` prints
CHINESE |= {"agent/research/texts.py", "agent/research/plan.py"}
CHINESE |= {f"agent/research/{name}.py" for name in ("differences", "quoting")}
CHINESE |= {
    f"citations/{name}.py"
    # default words, and in the last one nouns before a letter
    for name in ("linker", "lists", "markdown/indices")
}
CHINESE |= {
    f"agent/without_model/{name}.py"
    # words of questions in the last three
    for name in ("texts", "select", "answer")
}
CHINESE |= {
    f"citations/evidence/{name}.py"
    # units, numerals and words around numbers
    for name in (
        *("arithmetic", "checking", "claims", "dates", "lookup", "numerals"),
        *("quantities", "strict", "text", "units", "values", "versions"),
    )
}
CHINESE |= {"text/sentences.py", "text/terms.py"}  # signs and words of questions
CHINESE |= {
    f"agent/follow_up/{name}.py"
    # words of questions, and patterns of them
    for name in ("addresses", "by_model", "chinese", "rule")
}
CHINESE |= {
    "websearch/engines/dates.py",
    "websearch/parsing/page_facts.py",
    "websearch/parsing/page_kind.py",
}  # patterns
HAN = re.compile("[\u4e00-\u9fff]")


def modules() -> list[Path]:
    return [p for package in PACKAGES for p in sorted((ROOT / package).rglob("*.py"))]


def folders() -> list[str]:
    inits = (p for package in PACKAGES for p in (ROOT / package).rglob("__init__.py"))
    return sorted(str(p.parent.relative_to(ROOT)) for p in inits)


def test_every_folder_has_a_line() -> None:
    """Each folder has its row, and no row is left over."""
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    named = re.findall(r"^\| `([\w/]+)/` \|", page, re.MULTILINE)

    assert sorted(named) == folders()


def test_language_of_the_code() -> None:
    """Code is English; Chinese lives where the texts are."""
    chinese = {
        str(path.relative_to(ROOT))
        for path in modules()
        if HAN.search(path.read_text(encoding="utf-8"))
    }

    assert chinese - CHINESE == set()


# Modules that import by a string, which import-linter cannot see, and what they name.
BY_STRING = {
    "agent/models/catalog.py",  # a foreign package, in a thread
    "websearch/__init__.py",  # names of its own, at first use
    "websearch/parsing/process.py",  # the task of a worker, one of its own modules
    "websearch/browser/browser.py",  # one of its own modules, in a thread
}


def test_imports_by_string() -> None:
    """No other module hides what it imports."""
    hiding = {
        str(path.relative_to(ROOT))
        for path in modules()
        if re.search(r"\bimport_module\b|__import__", path.read_text(encoding="utf-8"))
    }

    assert hiding - BY_STRING == set()


LOCKS = ("requirements.lock", "requirements-browser.lock", "requirements-dev.lock")


def pinned(name: str) -> set[str]:
    text = (ROOT / name).read_text(encoding="utf-8")
    return set(re.findall(r"^[a-z0-9._-]+==\S+", text, re.MULTILINE))


def test_larger_locks_bring_the_smaller_along() -> None:
    """The browser's packages and the developer's are added to the app's own."""
    app, browser, dev = map(pinned, LOCKS)

    assert app < browser < dev
    added = {pin.partition("==")[0] for pin in browser - app}
    assert added == {"greenlet", "playwright"}


@pytest.mark.parametrize("name", LOCKS)
def test_locks(name: str) -> None:
    """Every pinned package carries hashes, and no lock names a download host."""
    text = (ROOT / name).read_text(encoding="utf-8")
    pins = re.findall(r"^([a-z0-9._-]+)==", text, re.MULTILINE)

    assert len(pins) > 50
    assert "://" not in text
    assert all(
        re.search(rf"^{re.escape(pin)}==[^\n]* \\\n    --hash", text, re.MULTILINE)
        for pin in pins
    )
