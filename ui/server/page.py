"""
The page: Chainlit's shell without foreign hosts, in the reader's language and theme.

What stands there before Chainlit's script has come, and our words, come with it.
"""

import json
import re
from base64 import b64encode
from collections.abc import Callable, Mapping
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from ui.server.files import PageFiles
from ui.texts import page_language, page_words, text

# Set by public/page.js when the page is left; before that the system's theme counts.
THEME_COOKIE: Final = "websearch-theme"
_THEMES: Final = ("light", "dark")
_FOREIGN: Final = re.compile(
    r"""<(?:link|meta)\b[^>]*\b(?:href|content)\s*=\s*["']?(?:https?:)?//[^>]*>"""
    r"""|<script\b[^>]*\bsrc\s*=\s*["']?(?:https?:)?//[^>]*>\s*</script>""",
    re.IGNORECASE,
)
# Data are no script: nothing runs them.
_INLINE: Final = re.compile(
    r"<script(?![^>]*\s(?:src\s*=|type=\"application/json\"))[^>]*>(.*?)</script>",
    re.IGNORECASE | re.DOTALL,
)
_STYLESHEET: Final = re.compile(r"""<link\b[^>]*\brel="stylesheet"[^>]*>""")
_OWN_FILE: Final = re.compile(r'(?<=(?:src|ref)=")[^"?]*/public/([^"?]+)(?=")')
_DESCRIPTION: Final = re.compile(r'(<meta \w+="(?:og:)?description" content=)"[^"]*"')
_NAMESPACE: Final = re.compile(' xmlns="[^"]*"')  # within HTML it is known
_ROOT: Final = '<div id="root"></div>'
_SPLASH: Final = (
    '<div id="ws-splash">{logo}<h3>{headline}</h3><p role="status">{opening}</p>'
    '<div aria-hidden="true">{placeholder}</div></div>'
)
_HEAD: Final = """<link rel="manifest" href="{root}/manifest.json">
<link rel="search" title="{name}" href="{root}/opensearch.xml"
  type="application/opensearchdescription+xml">
<link rel="apple-touch-icon" href="{root}/public/icon-192.png">
<meta name="theme-color" media="(prefers-color-scheme: light)" content="{light}">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="{dark}">
<style>{style}</style>
</head>"""
_OPENSEARCH: Final = """<?xml version="1.0" encoding="UTF-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
<ShortName>{name}</ShortName>
<Description>{description}</Description>
<InputEncoding>UTF-8</InputEncoding>
<Image width="192" height="192" type="image/png">{address}public/icon-192.png</Image>
<Url type="text/html" template="{address}?q={{searchTerms}}"/>
</OpenSearchDescription>
"""


class PageTemplate:
    """The page that *template* of Chainlit makes, and the policy for its scripts."""

    def __init__(
        self,
        setting: str,
        template: Callable[[str], str],
        public: Path,
        *,
        name: str = "websearch-chat",
        root_path: str = "",
    ) -> None:
        self.setting = setting
        self.name = name
        self.policy = policy()
        self._template = template
        self._root = root_path
        self._files = PageFiles(public)
        self._public = public

    async def page(self, request: Request) -> Response:
        """The page, for the language and the theme of its reader."""
        theme = request.cookies.get(THEME_COOKIE)
        html = self.render(self._language(request), theme)
        # It names files by their versions, so it is asked for each time.
        varies = "Accept-Language, Cookie"
        return HTMLResponse(html, headers={"cache-control": "no-cache", "vary": varies})

    def render(self, language: str, theme: str | None = None) -> str:
        """The page in a language; without a *theme* in that of the system."""
        html = clean(self._template(self._root), language=language, theme=theme)
        self.policy = policy(html)
        described = escape(text("description", language))
        html = _DESCRIPTION.sub(rf'\1"{described}"', html)
        styles = "".join(_STYLESHEET.findall(html))
        # Below what stands there at once, which they would hold up.
        html = _STYLESHEET.sub("", html).replace(
            _ROOT, f"{_ROOT}{self._splash(language)}{styles}"
        )
        html = html.replace("</head>", self._head(), 1)
        html = html.replace("<script", f"{words_of(language)}<script", 1)
        return _OWN_FILE.sub(self._versioned, html)

    async def manifest(self, request: Request) -> Response:
        """What a phone needs to keep the page as an app."""
        colours = self._colours()["light"]
        icons = [
            {"src": f"{self._root}/public/icon-{size}.png", "sizes": f"{size}x{size}"}
            for size in (192, 512)
        ]
        manifest = {
            "name": self.name,
            "short_name": self.name,
            "description": text("description", self._language(request)),
            "start_url": f"{self._root}/",
            "display": "standalone",
            "background_color": colours["--background"],
            "theme_color": colours["--background"],
            "icons": [
                {**icon, "type": "image/png", "purpose": "any maskable"}
                for icon in icons
            ],
        }
        return JSONResponse(manifest, media_type="application/manifest+json")

    async def opensearch(self, request: Request) -> Response:
        """What a browser needs to offer the page as a search engine."""
        described = _OPENSEARCH.format(
            name=escape(self.name[:16]),
            description=escape(text("description", self._language(request))),
            address=escape(f"{request.url.scheme}://{request.url.netloc}{self._root}/"),
        )
        return Response(described, media_type="application/opensearchdescription+xml")

    def _language(self, request: Request) -> str:
        return page_language(self.setting, request.headers.get("accept-language"))

    def _head(self) -> str:
        colours = self._colours()
        style = (self._public / "splash.css").read_text("utf-8")
        for theme in _THEMES:
            values = "".join(
                f"{name}:{value};" for name, value in colours[theme].items()
            )
            style = style.replace(f"/* {theme} */", values)
        return _HEAD.format(
            root=self._root,
            name=escape(self.name),
            light=colours["light"]["--background"],
            dark=colours["dark"]["--background"],
            style=style,
        )

    def _colours(self) -> Mapping[str, Mapping[str, str]]:
        """The colours of Chainlit's theme by their names, in both themes."""
        themes: Any = json.loads((self._public / "theme.json").read_text("utf-8"))
        return {
            theme: {
                name: f"hsl({value})"
                for name, value in themes["variables"][theme].items()
                if "%" in value
            }
            for theme in _THEMES
        }

    def _splash(self, language: str) -> str:
        return _SPLASH.format(
            logo=_NAMESPACE.sub("", (self._public / "logo.svg").read_text("utf-8")),
            headline=escape(text("welcome", language, state="").strip("# \n")),
            opening=escape(text("opening", language)),
            placeholder=escape(page_words(language)["ask"]),
        )

    def _versioned(self, address: re.Match[str]) -> str:
        """The address of a file of ours, which changes with the file."""
        version = self._files.version(address[1])
        return f"{address[0]}?v={version}" if version else address[0]


def words_of(language: str) -> str:
    """The words of public/page.js; they stand before the first script."""
    words = json.dumps(page_words(language)).replace("<", "\\u003c")
    return f'<script type="application/json" id="ws-words">{words}</script>'


def clean(html: str, *, language: str, theme: str | None = None) -> str:
    """Set language and theme, and remove tags that name or load other hosts."""
    html = _FOREIGN.sub("", html)
    look = f' class="{theme}"' if theme in _THEMES else ""
    tag = f'<html lang="{escape(language)}"{look}>'
    return re.sub(r"<html\b[^>]*>", tag, html, count=1)


def policy(html: str = "") -> str:
    """Content-Security-Policy: own host only, inline scripts of *html* by hash."""
    digests = [sha256(script.encode()).digest() for script in _INLINE.findall(html)]
    hashes = [f"'sha256-{b64encode(digest).decode()}'" for digest in digests]
    rules = {
        "default-src": "'self'",
        "script-src": " ".join(["'self'", *hashes]),
        "style-src": "'self' 'unsafe-inline'",  # Chainlit sets styles on elements
        "img-src": "'self' data: blob:",
        "font-src": "'self' data:",
        "connect-src": "'self'",  # includes the page's own WebSocket
        "frame-src": "'none'",
        "object-src": "'none'",
        "base-uri": "'none'",
        "form-action": "'self'",
        "frame-ancestors": "'none'",
    }
    return "; ".join(f"{name} {value}" for name, value in rules.items())
