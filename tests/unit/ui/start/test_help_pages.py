"""Our documents as pages of the app."""

import re

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient
from support.paths import ROOT

from ui.start.help_pages import PAGES, ROUTES

PUBLIC = ROOT / "public"


@pytest.fixture
def client() -> TestClient:
    return TestClient(Starlette(routes=list(ROUTES)))


@pytest.mark.parametrize("name", sorted(PAGES))
def test_page(client: TestClient, name: str) -> None:
    """Each document is a page, and its links to others and its pictures lead there."""
    page = client.get(f"/help/{name}")

    assert page.status_code == 200
    for other in re.findall(r'href="([\w.-]+)(?:#[^"]*)?"', page.text):
        assert client.get(f"/help/{other}").status_code == 200, other
    for picture in re.findall(r'src="([^":]+)"', page.text):
        assert client.get(f"/help/{picture}").status_code == 200, picture


@pytest.mark.parametrize("name", sorted(PAGES))
def test_anchors(client: TestClient, name: str) -> None:
    """The targets of a document's links exist in the page too."""
    text = client.get(f"/help/{name}").text
    for other, anchor in re.findall(r'href="([\w.-]*)#([^"]+)"', text):
        page = client.get(f"/help/{other or name}").text
        assert f'id="{anchor}"' in page, (other, anchor)


@pytest.mark.parametrize(
    ("name", "language", "title"),
    [
        ("troubleshooting", "en", "Troubleshooting search"),
        ("troubleshooting.zh-CN", "zh-CN", "搜索故障排查"),
    ],
)
def test_language(client: TestClient, name: str, language: str, title: str) -> None:
    """A page tells its language, and its tab is called like the document."""
    page = client.get(f"/help/{name}").text

    assert f'<html lang="{language}">' in page
    assert f"<title>{title}</title>" in page


def test_style(client: TestClient) -> None:
    """The style that the pages name exists."""
    (style,) = re.findall('href="/public/([^"]+)"', client.get("/help/agent").text)

    assert (PUBLIC / style).is_file()


@pytest.mark.parametrize("name", ["nothing", "..%2fREADME", "images/../agent.md"])
def test_no_other_file(client: TestClient, name: str) -> None:
    """Nothing but our documents and their pictures is served."""
    assert client.get(f"/help/{name}").status_code == 404
