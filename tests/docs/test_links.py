"""Every relative link of the documents leads to a file, and to a place in it."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.paths import ROOT

PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])
FOLDERS = {path.name for path in ROOT.iterdir() if path.is_dir()}
# Files that a reader or a command makes, beside those of the example `acme`.
MADE = {
    "deploy/searxng/.env",
    "benchmarks/results.json",
    ".venv/bin/websearch-chat",
}


def prose(page: Path) -> str:
    """The page without its blocks of code, where brackets are no links."""
    text = page.read_text(encoding="utf-8")
    return re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)


def words(page: Path) -> str:
    """The same without code inside lines."""
    return re.sub(r"(`+)(?!`).+?(?<!`)\1(?!`)", "", prose(page))


def links(page: Path) -> Iterator[str]:
    """The targets of links and pictures that stay in the project."""
    for target in re.findall(r'\]\(([^)\s]+)(?: "[^"]*")?\)', words(page)):
        if not re.match(r"[a-z]+:", target):
            yield target


def anchors(page: Path) -> set[str]:
    """The places of a page that a link can lead to, as GitHub names headings."""
    found = set(re.findall(r'<a id="([^"]+)">', prose(page)))
    seen: dict[str, int] = {}
    for heading in re.findall(r"^#+ (.+)$", prose(page), re.MULTILINE):
        slug = re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")
        seen[slug] = seen.get(slug, -1) + 1
        found.add(f"{slug}-{seen[slug]}" if seen[slug] else slug)
    return found


def file_of(page: Path, target: str) -> Path:
    """The file that *target* means; `/help/name` is a document as the app shows it."""
    if target.startswith("/help/"):
        return ROOT / "docs" / f"{target.removeprefix('/help/')}.md"
    return page.parent / target if target else page


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links(page: Path) -> None:
    """Each target exists, and so does the heading or anchor it names."""
    broken = []
    for target in links(page):
        name, _, anchor = target.partition("#")
        file = file_of(page, name)
        if not file.exists() or (anchor and anchor not in anchors(file)):
            broken.append(target)

    assert broken == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_paths(page: Path) -> None:
    """Each path in backticks that begins with a folder of the project exists."""
    paths = {
        path
        for path in re.findall(r"`([\w.-]+/[\w./-]*)`", prose(page))
        if path.partition("/")[0] in FOLDERS and "acme" not in path
    }

    assert sorted(path for path in paths - MADE if not (ROOT / path).exists()) == []


@pytest.mark.parametrize("name", ["index.md", "index.zh-CN.md"])
def test_every_document_is_reached(name: str) -> None:
    """From the list of documents, to which the README of its language leads, each one
    can be reached, in that language where it has it."""
    chinese = name.endswith("zh-CN.md")
    linked = {target.partition("#")[0] for target in links(ROOT / "docs" / name)}
    pages = {page.name for page in ROOT.glob("docs/*.md")} - {name}
    wanted = {
        page
        for page in pages
        if page.endswith(".zh-CN.md") is chinese
        or (chinese and page.replace(".md", ".zh-CN.md") not in pages | {name})
    }

    assert wanted - linked == set()
    assert f"docs/{name}" in links(ROOT / name.replace("index", "README"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages_of_the_app(page: Path) -> None:
    """A document links to nothing that the app, which shows it too, has no page for."""
    if page.parent == ROOT:
        return

    assert [t for t in links(page) if t.startswith(("../", "/"))] == []
