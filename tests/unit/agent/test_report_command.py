"""`python -m agent report` and `call research_report`: files, exit codes, errors."""

import json
import re
import signal
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from support.command import Done, error_of, run, start
from support.model.model_server import Turn, model_server
from support.pages.pages_web import article, never, pages_web
from support.servers.loopback import served
from support.servers.searxng_pages import LIMITED

NO_MODEL = {"OLLAMA_BASE_URL": "http://127.0.0.1:9"}
LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")
QUESTION = "How high is the tower of the old town?"
ONE_FILE = f"{tempfile.gettempdir()}/one-file-for-two.md"
PAGES = {
    "/tower": article(
        "The tower",
        "The tower of the old town is 62 metres high.",
        "Some 120,000 visitors climbed it in 2024.",
        "The old town burned down in 1871 and was rebuilt.",
    ),
    "/guide": article(
        "Tower guide",
        "The tower of the old town is 64 metres high.",
        "Tickets for the tower cost 8 euros for adults.",
        "It is open every day, and dogs may come along.",
    ),
}


@contextmanager
def settings(pages: dict[str, Any]) -> Iterator[dict[str, str]]:
    """Settings with which the command finds and reads *pages*, without a model."""
    with pages_web(pages) as web, served(web.search) as engine:
        yield {
            "module": "agent",
            "SEARXNG_BASE_URL": engine.url,
            "WEB_FETCH_ENABLED": "true",
            **web.settings,
            **NO_MODEL,
        }


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """The HTML file and the bundle of one report."""
    folder = tmp_path_factory.mktemp("report")
    out, bundle = folder / "report.html", folder / "bundle.json"
    with settings({**PAGES, "/gone": LIMITED}) as known:
        named = ("--out", str(out), "--bundle", str(bundle))
        done = run("report", QUESTION, *named, **known)
    assert (done.returncode, done.stdout) == (0, "")
    return out.read_text("utf-8"), bundle.read_text("utf-8")


@pytest.mark.spec("Q5", "Q7")
def test_markdown() -> None:
    """Without a model the report is quotations, with its list of references."""
    with settings(PAGES) as known:
        done = run("report", QUESTION, **known)

    assert done.returncode == 0
    assert done.stdout.startswith(f"# {QUESTION}\n")
    assert "- “The tower of the old town is 62 metres high.”[[1]](http" in done.stdout
    assert "## References\n\n- **[1]** [" in done.stdout
    assert "**62 metres** / **64 metres**" in done.stdout
    assert "Spent: 3/12 searches, 2/20 pages" in done.stdout
    assert "Page 1 of at most 20: 127.0.0.1, " in done.stderr


@pytest.mark.spec("Q5")
def test_html(files: tuple[str, str]) -> None:
    """The HTML file holds all of it: evidence below each page, and no request."""
    page, _ = files

    reference = page.partition('<li id="s1">')[2].partition("</li>")[0]
    assert "“The tower of the old town is 62 metres high.”" in reference
    assert not re.search(r"<(?:script|link|img|iframe)|\bsrc=|@import|url\(", page)


@pytest.mark.spec("Q6")
def test_bundle(files: tuple[str, str]) -> None:
    """Each step has its detail_code first; no words of pages or of queries."""
    _, words = files
    bundle = json.loads(words)

    assert next(iter(bundle)) == "detail_codes"
    assert {next(iter(step)) for step in bundle["steps"]} == {"detail_code"}
    assert bundle["detail_codes"] == {"http_429": 1}
    names = [step["step"] for step in bundle["steps"]]
    assert {"plan", "search", "page", "gathering", "quoting", "finished"} <= {*names}
    page = next(one for one in bundle["steps"] if one.get("characters"))
    assert len(page["text_sha256"]) == 64
    assert page["characters"] > 100
    assert "tower" not in words
    assert "metres" not in words


def test_queries_in_the_bundle(tmp_path: Path) -> None:
    """Queries are in the bundle where the operator lets them be logged."""
    file = tmp_path / "bundle.json"
    with settings(PAGES) as known:
        known["WEB_SEARCH_LOG_QUERIES"] = "true"
        run("report", QUESTION, "--bundle", str(file), **known)

    search = next(
        s for s in json.loads(file.read_text("utf-8"))["steps"] if s["step"] == "search"
    )
    assert search["query"] == {"length": len(QUESTION), "words": QUESTION}


@pytest.mark.parametrize(
    ("question", "options"),
    [
        (" \u200b\n", ()),
        ("x" * 20_001, ()),
        (QUESTION, ("--searches", "0")),
        (QUESTION, ("--out", "/nowhere/report.md")),
        (QUESTION, ("--out", ONE_FILE, "--bundle", ONE_FILE)),
    ],
    ids=["empty", "too long", "no budget", "no folder", "one file for two"],
)
def test_refused(question: str, options: tuple[str, ...]) -> None:
    """No question, an absurd budget and a wrong place are told before any search."""
    done = run("report", question, *options, module="agent")

    assert (done.returncode, error_of(done)["type"]) == (1, "InvalidInput")


def test_wrong_usage() -> None:
    """A file of another kind is wrong usage."""
    done = run("report", QUESTION, "--out", "report.docx", module="agent")

    assert done.returncode == 2
    assert ".md or .html" in done.stderr


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    """The report is printed instead, the reason told, and the exit code is 1."""
    out = tmp_path / "taken.md"
    pages = dict(PAGES)

    def take() -> Iterator[bytes | float]:
        out.mkdir(exist_ok=True)  # after the command has looked at the place
        yield LIMITED.encoded()

    with settings(pages | {"/late": take}) as known:
        done = run("report", QUESTION, "--out", str(out), **known)

    assert done.returncode == 1
    assert done.stdout.startswith(f"# {QUESTION}\n")
    assert "could not be written" in done.stderr
    assert [*tmp_path.iterdir()] == [out]


def test_interrupt(tmp_path: Path) -> None:
    """Ctrl-C writes the report with what was read by then; the exit code is 130."""
    out, late = tmp_path / "report.md", threading.Event()
    with settings({**PAGES, "/late": never(late)}) as known:
        process = start("report", QUESTION, "--out", str(out), **known)
        assert process.stderr is not None
        read = 0
        while read < 2:
            line = process.stderr.readline()
            assert line, "it ended before its pages were read"
            read += "characters" in line
        process.send_signal(signal.SIGINT)
        process.communicate()
        late.set()

    assert process.returncode == 130
    assert "62 metres high" in out.read_text("utf-8")
    assert "Stopped by the user" in out.read_text("utf-8")


def call(arguments: object, **known: str) -> Done:
    return run("call", "research_report", json.dumps(arguments), **known)


@pytest.mark.spec("H11")
def test_contract() -> None:
    """The tool gives the report, its pages as items, and its steps."""
    with settings(PAGES) as known:
        del known["module"]
        known["WEB_SEARCH_BACKEND"] = "searxng"
        done = call({"question": QUESTION, "max_pages": 1}, **known)

    result = json.loads(done.stdout)
    meta = result["provider_meta"]
    assert done.returncode == 0
    assert "[[1]](http" in result["report"]
    assert [(item["rank"], item["provider"]) for item in result["items"]] == [
        (1, "searxng"),
    ]
    assert meta["budget"]["pages"] == meta["spent"]["pages"] == 1
    assert {next(iter(step)) for step in meta["steps"]} == {"detail_code"}
    assert result["sections"][0]["statements"][0]["quoted"] is True


@pytest.mark.spec("H9")
def test_contract_without_a_backend() -> None:
    """An unset backend means the samples, of which no report is made."""
    done = call({"question": QUESTION}, **NO_MODEL)
    same = run(
        "report", QUESTION, module="agent", WEB_SEARCH_BACKEND="stub", **NO_MODEL
    )

    assert done.returncode == same.returncode == 1
    assert error_of(done) == error_of(same)
    assert error_of(done)["detail_code"] == "samples_only"
    assert all("python -m agent doctor" in one.stderr for one in (done, same))


@pytest.mark.parametrize(
    "arguments",
    [
        {"question": 7},
        {"question": "x", "max_pages": 101},
        {"question": "x", "y": 1},
    ],
)
def test_contract_with_wrong_arguments(arguments: object) -> None:
    """An error names the wrong argument without its value."""
    done = call(arguments)

    assert (done.returncode, error_of(done)["type"]) == (1, "InvalidInput")


@pytest.mark.spec("Q6", "I6")
def test_canaries(tmp_path: Path) -> None:
    """Neither the bundle nor a line of the log holds a key, a query or page text."""

    def brain(asked: dict[str, Any]) -> Turn:
        if "split the user" in asked["messages"][0]["content"].lower():
            return Turn(["zebra height?\nzebra price?\nzebra opening hours?"])
        return Turn(status=401, error={"error": {"message": "canary-model"}})

    file = tmp_path / "bundle.json"
    with settings(PAGES) as known, model_server(brain) as model:
        known |= {
            "OPENAI_API_KEY": "canary-key",
            "OPENAI_BASE_URL": model.base_url,
            "SEARXNG_API_KEY": "canary-bearer",
        }
        done = run("-v", "report", QUESTION, "--bundle", str(file), **known)

    logged = [x for x in done.stderr.splitlines() if x.startswith(LEVELS)]
    assert any("Search" in line for line in logged)
    for words in (file.read_text("utf-8"), "\n".join(logged)):
        assert not re.search(
            r"canary|zebra|tower|metres|old town", words, re.IGNORECASE
        )
    assert json.loads(file.read_text("utf-8"))["detail_codes"] == {"wrong_key": 1}


def test_a_file_keeps_its_kind(tmp_path: Path) -> None:
    """A link stays a link, and a file keeps its permissions."""
    real, link = tmp_path / "real.md", tmp_path / "link.md"
    real.write_text("old", "utf-8")
    real.chmod(0o640)
    link.symlink_to(real)
    with settings(PAGES) as known:
        done = run("report", QUESTION, "--out", str(link), **known)

    assert done.returncode == 0
    assert link.is_symlink()
    assert "62 metres" in real.read_text("utf-8")
    assert real.stat().st_mode & 0o777 == 0o640


@pytest.mark.spec("Q3")
def test_every_search_fails(tmp_path: Path) -> None:
    """The report says which searches failed, and why; it takes the place of no file."""
    out = tmp_path / "report.md"
    out.write_text("good", "utf-8")
    with served(lambda _: LIMITED) as engine:
        known = {"module": "agent", "SEARXNG_BASE_URL": engine.url, **NO_MODEL}
        done = run("report", QUESTION, "--out", str(out), **known)
        backend = known | {"module": "websearch", "WEB_SEARCH_BACKEND": "searxng"}
        called = call({"question": QUESTION}, **backend)

    assert called.returncode == 1
    assert json.loads(called.stdout)["errors"][0]["detail_code"] == "http_429"
    assert (done.returncode, out.read_text("utf-8")) == (1, "good")
    assert "## What was not found" in done.stdout
    assert f"“{QUESTION}”: the search failed (SearXNG" in done.stdout


def test_address_and_no_engine() -> None:
    """A given page is read where there are samples only, and that is told."""
    with settings(PAGES) as known:
        known["WEB_SEARCH_BACKEND"] = "stub"
        port = known["WEB_FETCH_ALLOWED_HOSTS"].rpartition(":")[2]
        asked = f"How high is the tower of http://127.0.0.1:{port}/tower ?"
        done = run("report", asked, **known)

    assert done.returncode == 0
    assert "62 metres high" in done.stdout
    assert "offline samples only" in done.stdout


@pytest.mark.spec("Q3")
def test_a_given_page_that_is_not_opened() -> None:
    """Without a budget of pages the address is listed with the reason."""
    with settings(PAGES) as known:
        done = run("report", "https://a.example.org/w", "--pages", "0", **known)

    assert done.returncode == 1
    assert "the budget of pages was spent" in done.stdout
