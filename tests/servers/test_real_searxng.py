"""The search layer against a real SearXNG: what is asked, and what is found."""

import re
from typing import Any
from urllib.parse import urlsplit

import pytest
from support.model.model_server import Turn, script, search
from support.servers.real_searxng import RealSearxng, as_typed
from support.world import world

from agent import Mode
from agent.events import Answer, SearchFinished
from agent.prompts import numbered_list
from citations import Source
from websearch.network.client import HttpClient, Reply

BRAIN = script(
    Turn(calls=[search("weather"), search("人工智能")]),
    Turn(calls=[search("weather")]),
    Turn(["Rain [1]", "，训练[6]。"]),
)


@pytest.mark.spec("B3")
def test_async_search_finds_pages(searxng_server: RealSearxng) -> None:
    """A search from an event loop brings ten ranked pages with all their parts."""
    response = searxng_server.search("weather")

    first = response.items[0]
    assert [item.rank for item in response.items] == list(range(1, 11))
    assert first.url.startswith("https://docs.example.org/forecast/0")
    assert first.title == "weather forecast #0"
    assert first.snippet.startswith("weather forecast rain")
    assert (first.provider, first.engine) == ("searxng", "corpus")
    assert first.score is not None
    assert response.errors == []


@pytest.mark.spec("J3", "B3")
def test_chinese_query(searxng_server: RealSearxng) -> None:
    """A Chinese query arrives as typed, asks for Chinese, and finds it."""
    response = searxng_server.search("人工智能 的未来？")

    asked = searxng_server.corpus.asked[-1]
    assert (asked.query, asked.params["lang"]) == ("人工智能 的未来？", "zh")
    assert len(response.items) == 10
    assert "人工智能" in response.items[0].title


# Signs that mean something in an address, and words that SearXNG would obey.
SIGNS = [
    "what is C++ & C#? 100% “quoted” a+b=c",
    "weather #1; drop / ../ \\ | $HOME",
    "emoji 👩‍👩‍👧 café naïve Ωμέγα",
    'site:example.org -not "exact words"',
    "1 < 2 : a ! b",
]
COMMANDS = [
    *("!!g x", "!! x", "!corpus x", "!general x", "!broken x", "!slow !refused x"),
    *(":zh x", ":en mode", "<3 x", "<850 x", "what is !refused and :fr and <9"),
]


@pytest.mark.spec("J3", "I8")
@pytest.mark.parametrize("query", SIGNS + COMMANDS)
def test_words_arrive(searxng_server: RealSearxng, query: str) -> None:
    """All words reach the engine as typed; none is a command, nor redirects anybody."""
    asked = len(searxng_server.corpus.asked)

    response = searxng_server.search(query)

    received = searxng_server.corpus.queries[asked:]
    assert [as_typed(words) for words in received] == [query]
    assert response.query == query


@pytest.mark.spec("C3", "B3")
@pytest.mark.parametrize("query", ["nothing", "无结果"])
def test_no_results(searxng_server: RealSearxng, query: str) -> None:
    """A search that finds nothing is an empty success."""
    response = searxng_server.search(query)

    assert (response.items, response.errors) == ((), [])


@pytest.mark.spec("H3")
@pytest.mark.parametrize(
    ("span", "hours"), [("day", "24"), ("week", "168"), ("year", "8760")]
)
def test_time_range(searxng_server: RealSearxng, span: str, hours: str) -> None:
    """A time range is accepted and reaches the engine."""
    response = searxng_server.search("weather", time_range=span)

    assert response.items
    assert searxng_server.corpus.asked[-1].params["hours"] == hours


@pytest.mark.spec("H3")
@pytest.mark.parametrize(
    ("locale", "spoken"),
    [
        ("zh_CN", "zh"),
        ("zh-Hans-CN", "zh"),
        ("zh_Hant_TW", "zh"),
        ("ZH-cn", "zh"),
        ("zh", "zh"),
        ("sr-Latn-RS", "sr"),
        ("es-419", "es"),
        ("de-CH", "de"),
        ("all", "all"),
    ],
)
def test_language_tags(searxng_server: RealSearxng, locale: str, spoken: str) -> None:
    """A language tag in any usual spelling is turned into one SearXNG accepts."""
    response = searxng_server.search("weather", locale=locale)

    assert response.items
    assert searxng_server.corpus.asked[-1].params["lang"] == spoken


@pytest.mark.spec("H3")
def test_site_filter(searxng_server: RealSearxng) -> None:
    """A site filter reaches the engine as the word it understands."""
    searxng_server.search("weather", site_filter="docs.example.org")

    assert searxng_server.corpus.queries[-1] == "weather site:docs.example.org"


@pytest.mark.spec("B3")
@pytest.mark.parametrize(
    "query", ["weather " * 374 + "weather!", "人工智能" * 75], ids=["3,000", "Chinese"]
)
def test_long_query_is_posted(searxng_server: RealSearxng, query: str) -> None:
    """A query of 3,000 characters is sent as a form and arrives whole, and one of 300
    Chinese characters, each of which takes nine bytes in an address."""
    http = Recorder()

    response = searxng_server.search(query, http=http)

    assert http.methods == ["POST"]
    assert searxng_server.corpus.queries[-1] == query
    assert len(response.items) == 10


@pytest.mark.spec("I8")
def test_untreated_command_redirects(searxng_server: RealSearxng) -> None:
    """The server would indeed send us elsewhere, had the words been left alone."""
    reply = searxng_server.ask(q="!!g x", format="json")

    assert reply.status == 302
    assert urlsplit(reply.headers["location"]).hostname == "www.google.com"


# Pages with odd addresses, and one page under five: what is left of them.
ADDRESSES = {
    "addresses": [
        "https://ok.example.org/a",
        "http://relative.example.org/x",
        "https://xn--fsqu00a.xn--0zwm56d/%E8%B7%AF%E5%BE%84?q=%E6%9F%A5%E8%AF%A2",
        "https://md.example.org/a_(b)_[c]?x=%3Cy%3E%22%27",
    ],
    "twins": ["https://dup.example.org/page", "https://dup.example.org/page?id=7"],
}


@pytest.mark.spec("H1", "B7")
@pytest.mark.parametrize("query", ADDRESSES)
def test_addresses(searxng_server: RealSearxng, query: str) -> None:
    """Only web addresses with a host and without credentials are left, and each page
    once."""
    items = searxng_server.search(query).items

    assert [item.url for item in items] == ADDRESSES[query]
    assert [item.rank for item in items] == list(range(1, len(items) + 1))


@pytest.mark.spec("H1", "B7")
def test_bad_ones_cost_no_place(searxng_server: RealSearxng) -> None:
    """Bad records leave no gap: ten good ones of many are ten results."""
    response = searxng_server.search("odd")

    assert [item.rank for item in response.items] == list(range(1, 11))
    assert all(urlsplit(item.url).hostname for item in response.items)


@pytest.mark.spec("H1")
def test_texts(searxng_server: RealSearxng) -> None:
    """Titles and snippets are one line without markup or unseen characters."""
    items = searxng_server.search("texts").items

    titles = [item.title for item in items]
    assert titles[:5] == [
        "Tom & Jerry",
        "bold title",
        "control characters",
        "",
        "no summary",
    ]
    assert [item.snippet for item in items[2:5]] == [
        "one two three",
        "empty title",
        "",
    ]
    assert not re.search("[<>]|alert", items[1].snippet)
    assert len(items[5].title) <= 300
    assert len(items[5].snippet) <= 5_000


def test_forged_markers(searxng_server: RealSearxng) -> None:
    """A stranger's [2] does not reach the model: each marker there is ours."""
    response = searxng_server.search("texts")

    sources = [Source.of(item.rank, item) for item in response.items]
    markers = re.findall(r"\[([0-9]+)\]", numbered_list(sources, 200))
    assert markers == [str(item.rank) for item in response.items]


@pytest.mark.spec("H1")
def test_cut_emoji(searxng_server: RealSearxng) -> None:
    """Half an emoji is dropped, so that the text can be encoded."""
    (item,) = searxng_server.search("cut").items

    assert (item.title, item.snippet) == ("cut emoji", "lone end")


class Recorder(HttpClient):
    """Notes how each request was sent."""

    def __init__(self) -> None:
        super().__init__()
        self.methods: list[str] = []

    async def request(self, method: str, url: str, **content: Any) -> Reply:
        self.methods.append(method)
        return await super().request(method, url, **content)


@pytest.mark.spec("E5", "E6", "F2", "J3")
async def test_agent_mode(searxng_server: RealSearxng) -> None:
    """Numbers follow the order of parallel searches; the same again asks nobody."""
    before = len(searxng_server.corpus.asked)
    url = searxng_server.url
    async with world(BRAIN, mode=Mode.AGENT, SEARXNG_BASE_URL=url) as w:
        events = await w.ask("How is the weather?")
        last = w.model.requests[-1]["messages"]

    end = events[-1]
    assert isinstance(end, Answer)
    found = [one.query for one in events if isinstance(one, SearchFinished)]
    assert set(found) == {"weather", "人工智能"}
    assert end.sources[1].title == "weather forecast #0"
    assert end.sources[6].title.startswith("人工智能")
    texts = [said["content"] for said in last if said["role"] == "tool"]
    assert f"[6] {end.sources[6].title} | " in texts[1]
    assert texts[2].splitlines()[1:-1] == texts[0].splitlines()[1:-1]
    assert len(searxng_server.corpus.asked) - before == 2
