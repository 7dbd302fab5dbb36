"""The page: its language and theme, its policy, and how long its files are kept."""

import re
import struct
from xml.etree import ElementTree

import pytest
from chainlit import server
from starlette.testclient import TestClient
from support.paths import ROOT

from ui.server import guard
from ui.server.page import clean, policy
from ui.texts import text

CLEAN = '<html lang="zh-CN"><head><script src="/a.js"></script></head></html>'
CANCEL = {"zh-CN": "取消", "en-US": "Cancel"}


@pytest.mark.parametrize(
    "tag",
    [
        '<link rel="stylesheet" href="https://cdn.example/a.css" />',
        '<link\n  href="https://cdn.example/a.css"\n  rel="stylesheet"\n/>',
        "<link rel=preconnect href=//cdn.example>",
        '<meta property="og:image" content="https://cdn.example/a.png">',
        '<script src="https://cdn.example/a.js" defer></script>',
        "<SCRIPT async src='//cdn.example/a.js'> </SCRIPT>",
    ],
)
def test_clean(tag: str) -> None:
    """Tags that name another host are removed from the page; others stay."""
    dirty = CLEAN.replace("</head>", f"{tag}</head>").replace("zh-CN", "en")

    assert clean(dirty, language="zh-CN") == CLEAN


def test_policy() -> None:
    """Scripts come from us or are known by hash; nothing comes from elsewhere."""
    rules = dict(
        rule.split(" ", 1)
        for rule in policy(CLEAN + "<script>\nlet a = 1;\n</script>").split("; ")
    )

    assert rules["script-src"] == (
        "'self' 'sha256-wCpX6PRaV2tYabHPuD0EVrhGyeiYQpOhQOJ8OhOtDwA='"
    )
    assert not any("eval" in rule or "*" in rule for rule in rules.values())
    assert {source for rule in rules.values() for source in rule.split()} <= {
        "'self'",
        "'none'",
        "'unsafe-inline'",
        "data:",
        "blob:",
        rules["script-src"].split()[1],
    }
    assert [n for n, rule in rules.items() if "unsafe-inline" in rule] == ["style-src"]
    assert rules["frame-ancestors"] == rules["base-uri"] == "'none'"


@pytest.mark.spec("M5")
@pytest.mark.usefixtures("fresh")
@pytest.mark.parametrize(
    ("setting", "told", "language"),
    [
        ("zh-CN", "en-GB", "zh-CN"),
        ("en-US", "zh", "en-US"),
        ("auto", "zh-HK,en;q=0.5", "zh-CN"),
        ("auto", "ja,en-US;q=0.7", "en-US"),
        ("auto", "", "zh-CN"),
    ],
)
def test_language(setting: str, told: str, language: str) -> None:
    """The page, its words and those that Chainlit asks for are in one language."""
    guard.install(language=setting, title="联网问答")
    client = TestClient(
        server.app, "http://localhost", headers={"accept-language": told}
    )

    page = client.get("/").text
    wrong = {"zh-CN": "en", "en-US": "zh-TW"}[language]  # a browser with two minds
    asked = client.get(f"/project/translations?language={wrong}").json()
    manifest = client.get("/manifest.json").json()

    assert f'<html lang="{language}">' in page
    assert "<title>联网问答</title>" in page
    assert "og:root_path" in page  # the page reads its prefix there
    assert 0 < page.find("ws-words") < page.find("/public/page.js")
    described = text("description", language)
    assert page.count(described) == 2
    assert text("opening", language) in page
    assert manifest["description"] == described
    assert asked["translation"]["common"]["actions"]["cancel"] == CANCEL[language]


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(
    ("cookie", "tag"),
    [
        ("dark", '<html lang="zh-CN" class="dark">'),
        ("light", '<html lang="zh-CN" class="light">'),
        ('x" onload="y', '<html lang="zh-CN">'),
    ],
)
def test_theme(cookie: str, tag: str) -> None:
    """What stands there first has the theme of the last visit, else the system's."""
    client = TestClient(server.app, "http://localhost")

    page = client.get("/", headers={"cookie": f"websearch-theme={cookie}"}).text

    assert tag in page
    assert "prefers-color-scheme: dark" in page


@pytest.mark.usefixtures("installed")
def test_kept_files() -> None:
    """Files whose address names their version are kept for ever and come packed; all
    else is asked for, and answered by one line where it is the same."""
    client = TestClient(server.app, "http://localhost")
    page = client.get("/")
    named = re.findall(r'(?:src|href)="(/(?:assets|public)/[^"]+)"', page.text)
    files = {path: client.get(path) for path in named}
    script = client.get("/public/page.js")
    seen = {"if-none-match": script.headers["etag"]}

    assert page.headers["cache-control"] == "no-cache"
    assert len(files) == 5
    for path, answer in files.items():
        assert answer.headers["cache-control"].endswith("immutable"), path
        is_picture = path.partition("?")[0].endswith(".png")
        assert is_picture or answer.headers["content-encoding"] == "gzip", path
    assert script.headers["cache-control"] == "no-cache"
    assert script.text == (ROOT / "public" / "page.js").read_text("utf-8")
    assert client.get("/public/page.js", headers=seen).status_code == 304
    assert client.get("/public/page.js?v=0").headers["cache-control"] == "no-cache"
    assert client.get("/public/%2e%2e/app.py").status_code == 404
    plain = client.get("/public/page.js", headers={"accept-encoding": "identity"})
    assert plain.text == script.text


@pytest.mark.usefixtures("installed")
def test_search_engine() -> None:
    """A browser can keep the page as a search engine, and as an app with its icons."""
    client = TestClient(server.app, "http://localhost:8000")

    found = ElementTree.fromstring(client.get("/opensearch.xml").text)
    icons = client.get("/manifest.json").json()["icons"]

    (url,) = [part for part in found if part.tag.endswith("Url")]
    assert url.get("template") == "http://localhost:8000/?q={searchTerms}"
    for icon in icons:
        head = client.get(icon["src"]).content[:24]
        width, height = struct.unpack(">II", head[16:])
        assert icon["sizes"] == f"{width}x{height}"
