"""Settings of a real SearXNG whose only engines are ours on loopback."""

from typing import Any

from support.servers.corpus import Corpus


def settings_of(*engines: dict[str, Any], formats: tuple[str, ...]) -> dict[str, Any]:
    """A settings.yml; JSON is YAML, so nothing needs to write YAML."""
    return {
        "use_default_settings": {"engines": {"keep_only": []}},
        "general": {"instance_name": "SearXNG for tests"},
        "search": {
            "autocomplete": "",
            "formats": list(formats),
            # An engine that failed in one test must work in the next.
            "ban_time_on_fail": 0,
            "max_ban_time_on_fail": 0,
        },
        "server": {"limiter": False, "image_proxy": False},
        "outgoing": {
            "request_timeout": 4.0,
            "max_request_timeout": 4.0,
            "enable_http2": False,
        },
        # No plugins: one of them would look for its rules on the internet.
        "plugins": {},
        "engines": list(engines),
    }


def corpus_engine(corpus: Corpus) -> dict[str, Any]:
    """The engine that works; it hands on titles and summaries as they are."""
    return made_engine(
        "corpus",
        f"{corpus.url}/search?q={{query}}&page={{pageno}}&lang={{lang}}{{time_range}}",
        lang_all="all",
        paging=True,
        time_range_support=True,
        time_range_url="&hours={time_range_val}",
    )


def failing_engines(corpus: Corpus) -> list[dict[str, Any]]:
    """Engines that fail without anyone refusing."""
    return [
        made_engine("badjson", f"{corpus.url}/badjson?q={{query}}"),
        made_engine("refused", f"{corpus.refusing_url}/?q={{query}}"),
        made_engine("slow", f"{corpus.url}/slow?q={{query}}"),
    ]


def blocking_engines(corpus: Corpus) -> list[dict[str, Any]]:
    """Engines that take SearXNG for a robot."""
    return [
        made_engine("http403", f"{corpus.url}/status/403?q={{query}}"),
        made_engine("http429", f"{corpus.url}/status/429?q={{query}}"),
    ]


def made_engine(name: str, url: str, **more: Any) -> dict[str, Any]:
    """An engine that searches our documents at *url*."""
    return {
        "name": name,
        "engine": "json_engine",
        "shortcut": name,
        "categories": ["general"],
        "enable_http": True,  # for an address with http://
        "search_url": url,
        "results_query": "documents",
        "url_query": "link",
        "title_query": "title",
        "content_query": "summary",
        **more,
    }
