"""Answers in the shape of DuckDuckGo's, Baidu's, Brave's and Bocha's; made-up words."""

import json
from typing import Any
from urllib.parse import quote

from support.servers.loopback import Answer
from support.servers.searxng_pages import site

HTML = {"Content-Type": "text/html; charset=utf-8"}


def html(text: str | bytes, status: int = 200, **headers: str) -> Answer:
    """A page as sent."""
    return Answer(text, status, HTML | headers)


def ddg_row(
    number: int = 1,
    *,
    url: str | None = None,
    wrapped: bool = True,
    kind: str = "web-result",
    date: str = "",
) -> str:
    """One result of DuckDuckGo."""
    target = url or f"{site(number)}?a=1&b=2"
    href = f"//duckduckgo.com/l/?uddg={quote(target, safe='')}&amp;rut=abc"
    return (
        f'<div class="result results_links {kind}"><h2 class="result__title">'
        f'<a class="result__a" href="{href if wrapped else target}">Title {number}</a>'
        '</h2><div class="result__extras"><div class="result__extras__url">'
        '<span class="result__icon"><img alt=""></span>'
        f'<a class="result__url" href="#">site</a><span>&nbsp; &nbsp; {date}</span>'
        '</div></div><a class="result__snippet" href="#">'
        f"About <b>page</b> {number}.</a></div>"
    )


def ddg_page(*rows: str, query: str = "q") -> str:
    """A whole page of DuckDuckGo."""
    return (
        '<!DOCTYPE html><html><head><meta charset="utf-8">'
        f"<title>{query} at DuckDuckGo</title></head><body>"
        f'<div id="links" class="results">{"".join(rows)}</div></body></html>\n'
    )


DDG_EMPTY = ddg_page(
    '<div class="result result--no-result"><div class="no-results">Nothing.</div></div>'
)
DDG_BLOCK = (
    '<html><body><form id="challenge-form" action="//duckduckgo.com/anomaly.js?cc=x">'
    '<div class="anomaly-modal__title">Pick the ducks.</div></form></body></html>'
)


def baidu_card(number: int = 1, *, extra: str = "", **attributes: str) -> str:
    """One result of Baidu; *attributes* are those of its container."""
    written = "".join(f' {name}="{value}"' for name, value in attributes.items())
    return (
        f'<div class="result c-container new-pmd" id="{number}"{written}>'
        f'<h3 class="t"><a href="http://www.baidu.com/link?url=k{number}">'
        f"第 {number} 个<em>结果</em></a></h3>"
        f'<span class="content-right_8Zs40">摘要 {number}。</span>{extra}</div>'
    )


def baidu_page(*cards: str, query: str = "问", charset: str = "utf-8") -> str:
    """A whole page of Baidu."""
    return (
        f'<!DOCTYPE html><html><head><meta charset="{charset}">'
        f"<title>{query}_百度搜索</title></head><body>"
        f'<div id="wrapper"><div id="content_left">{"".join(cards)}</div></div>'
        "</body></html>\n"
    )


BAIDU_EMPTY = (
    "<html><head><title>q_百度搜索</title></head><body><div class='content_none'>"
    "<div class='nors'>没有找到</div></div></body></html>"
)
# What a User-Agent that is no browser's gets today, in the form of Baidu's own.
BAIDU_REFUSAL = (
    '<html><head><script>location.replace("http://www.baidu.com/");</script></head>'
    '<body><noscript><meta http-equiv="refresh" content="0;url=http://www.baidu.com/">'
    "</noscript></body></html>"
)
# What Baidu sends in place of a page of results that does not exist.
BAIDU_NO_PAGE = (
    "<html><head><title>页面不存在_百度搜索</title></head><body><form id='form'>"
    "<input type='hidden' name='tn' value='baiduerr'></form><div id='content_left'>"
    "<div class='nors'><h3>您要访问的页面不存在！</h3></div></div></body></html>"
)
BAIDU_BLOCK = (
    "<html><head><title>百度安全验证</title></head><body>"
    '<div class="passMod_dialog-wrapper">请完成验证</div></body></html>'
)


def brave_row(number: int = 1, **changes: Any) -> dict[str, Any]:
    """One result of Brave."""
    return {
        "title": f"Title {number}",
        "url": site(number),
        "description": f"About <strong>page</strong> {number}.",
        "page_age": "2026-03-01T10:00:00",
        "profile": {"name": "Site"},
        **changes,
    }


def brave_page(*rows: Any) -> dict[str, Any]:
    """A whole answer of Brave."""
    return {"type": "search", "query": {}, "web": {"results": list(rows)}}


def brave_error(code: str, *, key: str = "error") -> dict[str, Any]:
    """Brave's error, as answers (`error`) or its reference (`errors`) write it."""
    error = {"code": code, "detail": "canary words", "meta": {}}
    return {"type": "ErrorResponse", key: [error] if key == "errors" else error}


def bocha_row(number: int = 1, **changes: Any) -> dict[str, Any]:
    """One result of Bocha."""
    return {
        "id": None,
        "name": f"标题 {number}",
        "url": site(number),
        "snippet": f"摘要 {number}",
        "siteName": "site",
        "dateLastCrawled": "2026-03-01T10:00:00Z",
        **changes,
    }


def bocha_page(*rows: Any, code: Any = 200) -> dict[str, Any]:
    """A whole answer of Bocha."""
    return {
        "code": code,
        "msg": None,
        "data": {
            "_type": "SearchResponse",
            "webPages": {"totalEstimatedMatches": 9, "value": list(rows)},
        },
    }


def sent(data: Any, status: int = 200, **headers: str) -> Answer:
    """JSON as sent."""
    return Answer(json.dumps(data), status, headers)


def cuts(body: bytes) -> list[bytes]:
    """A page cut at every twentieth of its length."""
    return [body[: len(body) * part // 20] for part in range(20)]
