"""docs/architecture.md knows every module, and the house keeps its rules."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("websearch", "citations", "agent", "ui")
# Where Chinese may stand in code: words for the reader or for the model.
CHINESE = {"ui/texts.py", "agent/prompts.py", "agent/agent_prompts.py"} | {
    f"citations/{name}.py"
    for name in ("forms", "link", "lists")  # default words
}
CHINESE |= {"agent/builtin_texts.py"} | {
    f"agent/quote_{name}.py"
    for name in ("alike", "kinds", "stops", "units", "words")  # of questions
}
HAN = re.compile("[\u4e00-\u9fff]")


def modules() -> list[Path]:
    return [p for package in PACKAGES for p in sorted((ROOT / package).rglob("*.py"))]


@pytest.mark.parametrize("package", PACKAGES)
def test_every_module_has_an_owner_line(package: str) -> None:
    """Each module has its row, and no row is left over."""
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    table = page.partition(f"## Who owns what in `{package}`")[2].partition("\n## ")[0]
    first = re.findall(r"^\| (`[^|]*)\|", table, re.MULTILINE)
    named = {name for cell in first for name in re.findall(r"`(\w+)`", cell)}
    found = {p.stem for p in (ROOT / package).glob("*.py")} - {"__init__"}
    folders = {p.parent.name for p in (ROOT / package).glob("*/__init__.py")}

    assert named == found | folders


def test_a_backend_is_a_page() -> None:
    """A backend is at most a hundred lines, so that writing one stays easy."""
    sizes = {
        path.name: len(path.read_text(encoding="utf-8").splitlines())
        for path in (ROOT / "websearch" / "backends").glob("*.py")
    }

    assert {name: size for name, size in sizes.items() if size > 100} == {}


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(ROOT)))
def test_language_of_the_code(path: Path) -> None:
    """Code is English; Chinese lives where the texts are."""
    name = str(path.relative_to(ROOT))

    assert name in CHINESE or not HAN.search(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "name", ["requirements.lock", "requirements-dev.lock", "requirements-bench.lock"]
)
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
