"""Settings of the agent: those of search, what a model gets, what Agent mode may do."""

from websearch.config import Settings, setting


class AgentSettings(Settings):
    """Settings of search, and of what is made of its results."""

    enabled: bool = setting(
        "WEB_SEARCH_ENABLED",
        "Whether Agent mode has a search tool at all. "
        "`false`: the model can't even see that there is one.",
        default=True,
    )
    snippet_length: int = setting(
        "WEB_SEARCH_SNIPPET_LENGTH",
        "Characters of a snippet that reach the model.",
        default=200,
        limits=(20, 2_000),
    )
    read_chars: int = setting(
        "WEB_READ_CHARS",
        "Characters of pages and snippets that the model gets for one question, or in "
        "one answer of `web_fetch`.",
        default=12_000,
        limits=(1_000, 200_000),
    )
    cache_queries: int = setting(
        "WEB_SEARCH_CACHE_QUERIES",
        "Searches that an Agent mode conversation remembers.",
        default=20,
        limits=(1, 1_000),
    )
    max_searches: int = setting(
        "AGENT_MAX_SEARCHES",
        "Searches that one answer in Agent mode may make; then the model answers with "
        "what was found.",
        default=8,
        limits=(1, 50),
    )
