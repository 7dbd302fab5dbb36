"""Title, day of publication and JSON-LD statements of a parsed page."""

import json
import re
from typing import Any, Final

from selectolax.lexbor import LexborHTMLParser

_MOST_STATEMENTS: Final = 200
_LONGEST_SCRIPT: Final = 300_000
_LINES: Final = 40  # in which a byline is looked for
_BYLINE: Final = 0.3  # share of its line that the date takes
_SENTENCE_END: Final = (".", "。", "!", "！", "?", "？", "；", ";")
_WEB_BEGAN: Final = "1991"
_NESTED: Final = ("@graph", "mainEntity", "mainEntityOfPage")
_DATE_KEYS: Final = ("datePublished", "dateCreated", "uploadDate")
_META_DATES: Final = ", ".join(
    f"meta[{attribute}='{name}']"
    for attribute, name in (
        ("property", "article:published_time"),
        ("property", "og:published_time"),
        ("itemprop", "datePublished"),
        ("name", "publishdate"),
        ("name", "pubdate"),
        ("name", "PubDate"),
        ("name", "date"),
        ("name", "dc.date"),
        ("name", "DC.date.issued"),
        ("name", "publication_date"),
        ("name", "citation_publication_date"),
        ("name", "parsely-pub-date"),
        ("name", "sailthru.date"),
        ("name", "_pubtime"),
        ("name", "weibo: article:create_at"),
    )
)
_TIMES: Final = (
    "[itemprop=datePublished], time[pubdate], article time[datetime], time[datetime]"
)
_NUMERIC = re.compile(
    r"((?:19|20)\d\d)\s?[-/.年]\s?(0?[1-9]|1[0-2])\s?[-/.月]"
    r"\s?(0?[1-9]|[12]\d|3[01])(?!\d)"
)
_MONTHS: Final = "janfebmaraprmayjunjulaugsepoctnovdec"
_MONTH: Final = (
    r"(?P<{}>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{{0,6}}\.?"
)
_DAY: Final = r"(?P<{}>0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?"
_WRITTEN = re.compile(
    rf"\b(?:{_MONTH.format('m1')}\s+{_DAY.format('d1')},?\s+(?P<y1>(?:19|20)\d\d)"
    rf"|{_DAY.format('d2')}\s+{_MONTH.format('m2')},?\s+(?P<y2>(?:19|20)\d\d))\b",
    re.IGNORECASE,
)


def title_of(page: LexborHTMLParser) -> str:
    """Title of the page: og:title, then title, then the first heading."""
    for selector in ("meta[property='og:title']", "title", "h1"):
        node = page.css_first(selector)
        if node is not None:
            stated = node.attributes.get("content") or node.text()
            if title := " ".join(stated.split()):
                return title[:300]
    return ""


def statements(page: LexborHTMLParser) -> list[dict[str, Any]]:
    """Objects of the page's JSON-LD, those in graphs and lists too."""
    found: list[dict[str, Any]] = []
    for script in page.css("script[type='application/ld+json']")[:20]:
        if len(source := script.text()) > _LONGEST_SCRIPT:
            continue
        try:
            queue = [json.loads(source, strict=False)]
        except (ValueError, RecursionError):
            continue
        while queue and len(found) < _MOST_STATEMENTS:
            item = queue.pop(0)
            if isinstance(item, list):
                queue.extend(item[:100])
            elif isinstance(item, dict):
                found.append(item)
                queue.extend(item[key] for key in _NESTED if key in item)
    return found


def article_body(facts: list[dict[str, Any]]) -> str:
    """The article where JSON-LD states it, as single-page apps often do."""
    bodies = (item.get("articleBody") for item in facts)
    body = next((text for text in bodies if isinstance(text, str)), "")
    if "<" in body:
        body = LexborHTMLParser(body).text(separator="\n")
    return body.strip()


def published_at(
    page: LexborHTMLParser, facts: list[dict[str, Any]], text: str
) -> str | None:
    """Day of publication: JSON-LD, meta, time elements, then a byline in the text."""
    for key in _DATE_KEYS:
        for item in facts:
            stated = item.get(key)
            if isinstance(stated, str) and (day := day_in(stated[:60])):
                return day
    for selector in (_META_DATES, _TIMES):
        for node in page.css(selector)[:3]:
            named = node.attributes.get("content") or node.attributes.get("datetime")
            if day := day_in((named or node.text())[:60]):
                return day
    # A byline is little more than its date; a sentence may tell of any day.
    for line in map(str.strip, text.split("\n", _LINES)[:_LINES]):
        if not line.endswith(_SENTENCE_END) and (day := day_in(line, _BYLINE)):
            return day
    return None


def day_in(text: str, share: float = 0.0) -> str | None:
    """
    First day in *text*, as 2026-11-18: 2026年11月18日, 18 Nov 2026, Nov 18, 2026.

    None where it takes less than this *share* of the text, or is older than the web.
    """
    if found := _NUMERIC.search(text):
        year, month, day = found[1], int(found[2]), found[3]
    elif found := _WRITTEN.search(text):
        kind = "1" if found["m1"] else "2"
        month = _MONTHS.index(found[f"m{kind}"][:3].lower()) // 3 + 1
        year, day = found[f"y{kind}"], found[f"d{kind}"]
    else:
        return None
    if year < _WEB_BEGAN or len(found[0]) < share * len(text):
        return None
    return f"{year}-{month:02}-{int(day):02}"
