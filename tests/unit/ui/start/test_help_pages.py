"""Our documents as pages of the app."""

import re
from urllib.parse import unquote

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient
from support.paths import ROOT

from ui.start.help_pages import PAGES, ROUTES


@pytest.fixture(scope="module")
def client() -> TestClient:
    return TestClient(Starlette(routes=list(ROUTES)))


@pytest.fixture(scope="module")
def texts(client: TestClient) -> dict[str, str]:
    """Every page, made once: the long ones take a while."""
    return {name: client.get(f"/help/{name}").text for name in PAGES}


@pytest.mark.parametrize("name", sorted(PAGES))
def test_links(client: TestClient, texts: dict[str, str], name: str) -> None:
    """The links of each page lead to other pages and to places that are there, and its
    pictures are there too."""
    for other, anchor in re.findall(r'href="([\w.-]*)(?:#([^"]+))?"', texts[name]):
        assert not anchor or f'id="{unquote(anchor)}"' in texts[other or name], (
            other,
            anchor,
        )
        assert (other or name) in texts, other
    for picture in re.findall(r'src="([^":]+)"', texts[name]):
        assert client.get(f"/help/{picture}").status_code == 200, picture


@pytest.mark.parametrize(
    ("name", "language", "title"),
    [
        ("troubleshooting", "en", "Troubleshooting search"),
        ("troubleshooting.zh-CN", "zh-CN", "搜索故障排查"),
    ],
)
def test_language(texts: dict[str, str], name: str, language: str, title: str) -> None:
    """A page tells its language, and its tab is called like the document."""
    assert f'<html lang="{language}">' in texts[name]
    assert f"<title>{title}</title>" in texts[name]


def test_style(texts: dict[str, str]) -> None:
    """The style that the pages name exists."""
    (style,) = re.findall('href="/public/([^"]+)"', texts["agent"])

    assert (ROOT / "public" / style).is_file()


@pytest.mark.parametrize("name", ["nothing", "..%2fREADME", "images/../agent.md"])
def test_no_other_file(client: TestClient, name: str) -> None:
    """Nothing but our documents and their pictures is served."""
    assert client.get(f"/help/{name}").status_code == 404
