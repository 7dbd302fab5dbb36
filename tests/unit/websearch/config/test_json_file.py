"""Files that people write: the good in them is taken, each mistake is named."""

import json
import os
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.profiles import SCHEMA as AGENTS
from websearch.config import json_words
from websearch.config.config_file import SCHEMA
from websearch.config.json_file import JsonFile, read

CANARY = "canary-key-7f3a"


def config(folder: Path, content: Any) -> JsonFile:
    file = folder / "config.json"
    text = content if isinstance(content, str) else json.dumps(content)
    file.write_text(text, encoding="utf-8")
    return read(file, SCHEMA)


def web_search(**entries: Any) -> dict[str, Any]:
    return {"tools": {"webSearch": entries}}


@pytest.mark.parametrize(
    ("entries", "told"),
    [
        (
            {"maxResults": 50},
            (
                "config.json: tools.webSearch.maxResults is 50; "
                "expected: a whole number from 1 to 10"
            ),
        ),
        (
            {"maxResults": "many"},
            (
                "config.json: tools.webSearch.maxResults is text; "
                "expected: a whole number from 1 to 10"
            ),
        ),
        (
            {"timeoutSeconds": 0},
            (
                "config.json: tools.webSearch.timeoutSeconds is 0; "
                "expected: a number from 0.1 to 60"
            ),
        ),
        (
            {"timeoutSeconds": True},
            (
                "config.json: tools.webSearch.timeoutSeconds is true; "
                "expected: a number from 0.1 to 60"
            ),
        ),
        (
            {"defaultProvider": []},
            (
                "config.json: tools.webSearch.defaultProvider is a list […]; "
                "expected: the name of an engine, such as searxng"
            ),
        ),
        (
            {"fallback": ["brave", 3]},
            (
                "config.json: tools.webSearch.fallback[1] is 3; "
                "expected: the name of an engine, such as ddg_html"
            ),
        ),
        (
            {"providers": {"brave": CANARY}},
            (
                "config.json: tools.webSearch.providers.brave is …; "
                "expected: an object {…}"
            ),
        ),
        (
            {"providers": {"brave": {"apiKey": 12345}}},
            "config.json: tools.webSearch.providers.brave.apiKey is …; expected: a key",
        ),
        (
            {"providers": {"brave": {"apikey": CANARY}}},
            (
                "config.json: tools.webSearch.providers.brave.apikey is unknown; "
                "expected: one of apiKey"
            ),
        ),
    ],
)
def test_one_mistake(tmp_path: Path, entries: dict[str, Any], told: str) -> None:
    """File, path, value and what is expected are told; no secret, wherever it is."""
    file = config(tmp_path, web_search(**entries))

    assert [str(mistake) for mistake in file.mistakes] == [told]


def test_in_chinese(tmp_path: Path) -> None:
    """What is wrong is told in the reader's language, values and names as they are."""
    entries = {"maxResults": 50, "providers": {"brave": CANARY}}

    told = config(tmp_path, web_search(**entries)).mistakes

    assert [(m.shown["zh-CN"], m.expected["zh-CN"]) for m in told] == [
        ("50", "整数，1 到 10"),
        ("…", "对象 {…}"),
    ]


def test_both_languages() -> None:
    """Everything that can be said can be said in both languages."""
    words = tomllib.loads(
        Path(json_words.__file__).with_suffix(".toml").read_text(encoding="utf-8")
    )

    assert words["zh-CN"].keys() == words["en-US"].keys()
    for schema in (SCHEMA, AGENTS):
        text = schema.read_text(encoding="utf-8")
        assert text.count('"en-US"') == text.count('"zh-CN"') > 0


def test_the_rest_is_taken(tmp_path: Path) -> None:
    """Beside mistakes, what is right keeps its place."""
    entries = {"maxResults": 0, "fallback": [1, "brave", 2], "timeoutSeconds": 9}

    file = config(tmp_path, {**web_search(**entries), "extra": 1})

    assert file.data == web_search(fallback=["brave"], timeoutSeconds=9)
    assert [mistake.path for mistake in file.mistakes] == [
        "extra",
        "tools.webSearch.fallback[0]",
        "tools.webSearch.fallback[2]",
        "tools.webSearch.maxResults",
    ]


@pytest.mark.parametrize(
    ("content", "shown"),
    [
        ("", "no JSON from line 1, column 1 on"),
        ('{"tools": {\n  "webSearch": {,}}}', "no JSON from line 2, column 17 on"),
        ("{'tools': 1}", "no JSON from line 1, column 2 on"),
        ('{"tools": NaN}', "no JSON"),
        ("[" * 100_000, "no JSON"),
        ("[]", "a list […]"),
        ("17", "…"),
        (json.dumps({f"n{i}": 1 for i in range(99)}), "full of mistakes"),
        (" " * 1_000_001, "too large"),
        ('{"tools": {"a": 1}, "tools": {}}', "a file that holds tools twice"),
        ('{"k-9": 1, "k-9": 2}', "a file that holds … twice"),
    ],
)
def test_unreadable(tmp_path: Path, content: str, shown: str) -> None:
    """A file that is no JSON object is told as a whole, and nothing of it is taken."""
    file = config(tmp_path, content)

    assert [(m.path, m.shown["en-US"]) for m in file.mistakes] == [("", shown)]
    assert file.data == {}


def test_no_text(tmp_path: Path) -> None:
    """A file in another encoding says so."""
    (tmp_path / "config.json").write_bytes(b'{"tools": "\xff\xfe"}')

    (mistake,) = read(tmp_path / "config.json", SCHEMA).mistakes

    assert mistake.shown["en-US"] == "no UTF-8 text"


def test_folder(tmp_path: Path) -> None:
    """A folder of that name, as Docker makes for a file that is missing, says so."""
    (tmp_path / "config.json").mkdir()

    (mistake,) = read(tmp_path / "config.json", SCHEMA).mistakes

    assert mistake.expected["en-US"] == "a file that can be read"


def test_pipe(tmp_path: Path) -> None:
    """A pipe of that name is not waited for."""
    os.mkfifo(tmp_path / "config.json")

    (mistake,) = read(tmp_path / "config.json", SCHEMA).mistakes

    assert mistake.expected["en-US"] == "a file that can be read"


def test_link_to_nothing(tmp_path: Path) -> None:
    """A link whose file is missing is told: somebody meant to choose."""
    (tmp_path / "config.json").symlink_to(tmp_path / "gone.json")

    (mistake,) = read(tmp_path / "config.json", SCHEMA).mistakes

    assert mistake.shown["en-US"] == "not readable (FileNotFoundError)"


@pytest.mark.spec("I6")
@pytest.mark.parametrize(
    "entries",
    [
        {"providers": {"bocha": {"timeoutMs": CANARY}}},
        {"providers": {"bocha": {"topK": CANARY}}},
        {"providers": {"brave": {CANARY: "apiKey"}}},
        {"providers": {CANARY: {}}},
        {"fallback": CANARY},
        {"maxResults": CANARY},
        {CANARY: 1},
        {"providers": CANARY},
        {"providers": {"brave": {"apiKey": [CANARY]}}},
    ],
    ids=str,
)
def test_misplaced_key(tmp_path: Path, entries: dict[str, Any]) -> None:
    """A key that stands where something else belongs is not shown."""
    (mistake,) = config(tmp_path, web_search(**entries)).mistakes

    assert CANARY not in str(mistake)


def test_no_forged_lines(tmp_path: Path) -> None:
    """An unknown name brings no line of its own into the log."""
    (mistake,) = config(tmp_path, {"a\nERROR forged": 1}).mistakes

    assert str(mistake).count("\n") == 0
    assert "forged" not in str(mistake)


def test_byte_order_mark(tmp_path: Path) -> None:
    """A file as Windows' editors save it is read."""
    (tmp_path / "config.json").write_bytes(b"\xef\xbb\xbf{}")

    assert read(tmp_path / "config.json", SCHEMA) == JsonFile({})


def test_no_file(tmp_path: Path) -> None:
    """Without a file there is nothing, and no mistake."""
    assert read(tmp_path / "config.json", SCHEMA) == JsonFile({})


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["tools", "webSearch", "providers", "brave", "apiKey", "x"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(data=JSON)
def test_any_json(tmp_path_factory: pytest.TempPathFactory, data: Any) -> None:
    """Whatever stands in the file, what is taken of it fits the schema."""
    folder = tmp_path_factory.mktemp("any")

    taken = config(folder, data).data

    assert not config(folder, taken).mistakes
