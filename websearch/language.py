"""Language tags, and the language that a query is written in."""

import re

_SCRIPT_REGIONS = {"hans": "CN", "hant": "TW"}
_SCRIPTS = (
    (re.compile(r"[\u3040-\u30ff]"), "ja-JP"),
    (re.compile(r"[\uac00-\ud7af]"), "ko-KR"),
    (re.compile(r"[\u3400-\u9fff\U00020000-\U0003ffff]"), "zh-CN"),
)


def accept_language(query: str, language: str | None) -> str:
    """What to say of the reader's language: the chosen one, or the query's script."""
    chosen = language if language not in (None, "all") else None
    tag = chosen or next((t for script, t in _SCRIPTS if script.search(query)), "en-US")
    short = tag.partition("-")[0]
    ours = f"{tag},{short};q=0.9" if short != tag else tag
    return ours if short == "en" else f"{ours},en;q=0.5"


def language_tag(locale: str) -> str:
    """SearXNG knows `zh` and `zh-CN`, and refuses `zh_CN` and `zh-Hans`."""
    language, *rest = locale.replace("_", "-").split("-")
    regions = [part.upper() for part in rest if len(part) == len("CN")]
    scripts = [region for part in rest if (region := _SCRIPT_REGIONS.get(part.lower()))]
    return "-".join([language.lower(), *(regions or scripts)[:1]])
