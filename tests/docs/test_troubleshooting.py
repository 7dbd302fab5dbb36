"""docs/troubleshooting.md is written from the causes; `make docs` writes it anew."""

import os
import re
import tomllib
from typing import Any

import pytest
from support.paths import ROOT

from agent.causes import ModelProblem, ModelState
from websearch.causes import Advice, AnyCause, Cause, advise

DOCS = ROOT / "docs"
FILES = {"en-US": "troubleshooting.md", "zh-CN": "troubleshooting.zh-CN.md"}
SYMPTOMS: dict[str, Any] = tomllib.loads(
    (DOCS / "symptoms.toml").read_text(encoding="utf-8")
)
PAINS = 23
HEADS = {
    "en-US": (
        "# Troubleshooting search\n\n"
        "`make doctor` finds out what is wrong with search and how to cure it.\n"
        "For scripts, `.venv/bin/python -m agent doctor --json` prints JSON "
        "and exits with 0 where search and model work.\n"
        "In the chat, `/doctor` says the same.\n"
        "First comes a table [by symptom](#by-symptom), then what the doctor says of "
        "each fault.\n"
        "How to run a SearXNG of your own: [deploy-searxng.md](deploy-searxng.md).\n"
        "The same in Chinese: [troubleshooting.zh-CN.md](troubleshooting.zh-CN.md).\n"
    ),
    "zh-CN": (
        "# 搜索故障排查\n\n"
        "`make doctor` 会找出搜索的问题和解决办法。\n"
        "脚本可以用 `.venv/bin/python -m agent doctor --json`："
        "输出 JSON，搜索和模型可用时退出码为 0。\n"
        "在对话中输入 `/doctor` 也一样。\n"
        "先是[按现象查找](#by-symptom)的表格，然后是 doctor 对每种故障的说明。\n"
        "如何自己运行 SearXNG：[deploy-searxng.zh-CN.md](deploy-searxng.zh-CN.md)。\n"
        "英文版：[troubleshooting.md](troubleshooting.md)。\n"
    ),
}
RULE = "| --- | --- | --- | --- |"
TABLES = {
    "en-US": ("By symptom", "| symptom | cause | command | more |", "can't happen: "),
    "zh-CN": ("按现象查找", "| 现象 | 原因 | 命令 | 详情 |", "不会发生："),
}
CAUSES: dict[str, AnyCause] = {str(one): one for one in [*Cause, *ModelState]}
SHOWN = {"address": "http://localhost:8080", "host": "localhost", "port": 8080}
SHOWN |= {"seconds": "5", "proxy": "http://HOST:PORT", "wait": " 60 s"}
ENGINE = {"en-US": "the engine", "zh-CN": "该引擎"}
ANSWERS = {"en-US": "While a model answers", "zh-CN": "模型回答时"}


def by_symptom(language: str) -> str:
    """The table of what users suffer from, each with where to read on."""
    title, head, impossible = TABLES[language]
    top = f'<a id="by-symptom"></a>\n## {title}\n\n{head}\n{RULE}\n'
    return top + "".join(
        f"| {symptom} "
        f"| {'' if entry.get('possible', True) else impossible}{cause} "
        f"| {code(entry.get('command', ''))} "
        f"| [{words(entry['more'], language)}]({target(entry['more'], language)}) |\n"
        for entry in SYMPTOMS.values()
        for symptom, cause in [entry[language]]
    )


def code(command: str) -> str:
    return f"`{command}`" if command else "–"


def words(more: str, language: str) -> str:
    """The heading that is led to: a problem's, or the document's own."""
    name, _, anchor = more.partition("#")
    if not name:
        return said(CAUSES[anchor], language).title
    return (DOCS / name).read_text(encoding="utf-8").partition("\n")[0].strip("# ")


def target(more: str, language: str) -> str:
    """The document in the reader's language, where there is one."""
    name, mark, anchor = more.partition("#")
    own = name.replace(".md", f".{language}.md")
    return f"{own if name and (DOCS / own).exists() else name}{mark}{anchor}"


def said(cause: AnyCause, language: str) -> Advice:
    """The advice of an ordinary case."""
    return advise(cause, {**SHOWN, "engine": ENGINE[language]}, language)


def entry(cause: AnyCause, language: str) -> str:
    """A cause with its title, its cure, and a command."""
    advice = said(cause, language)
    title = advice.title[0].upper() + advice.title[1:]
    steps = (step.replace("\n", "\n  ") for step in advice.cure)
    lines = [f'<a id="{cause}"></a>', f"## {title}", advice.cause]
    lines += [f"- {step}" for step in steps]
    lines += ["", code(advice.command)] if advice.command else []
    text = "\n".join(lines) + "\n"
    return text.replace(" 该引擎", "该引擎").replace("该引擎 ", "该引擎")


def document(language: str) -> str:
    """The whole page: each cause that needs a cure, once."""
    cured = [
        cause
        for cause in CAUSES.values()
        if "cure" in cause.words(language).get(cause, {})
    ]
    parts = [HEADS[language], by_symptom(language)]
    parts += [entry(cause, language) for cause in cured]
    problems = (said(problem, language) for problem in ModelProblem)
    lines = [f"- **{problem.title}** {problem.cure[0]}" for problem in problems]
    parts.append("\n".join([f"## {ANSWERS[language]}", "", *lines]) + "\n")
    return "\n".join(parts)


@pytest.mark.spec("G3", "G4", "G5")
@pytest.mark.parametrize("language", FILES)
def test_up_to_date(language: str) -> None:
    """The page holds every cause, with the words that the doctor shows."""
    text = document(language)
    file = DOCS / FILES[language]
    if os.environ.get("UPDATE_DOCS"):
        file.write_text(text, encoding="utf-8")

    assert file.read_text(encoding="utf-8") == text, "run `make docs`"


@pytest.mark.parametrize("language", FILES)
def test_symptoms(language: str) -> None:
    """Each pain has its row, with a cause and where to read on."""
    page = (DOCS / FILES[language]).read_text(encoding="utf-8")
    table = page.partition("\n## ")[2].partition("\n<a id=")[0]
    rows = re.findall(
        r"^\| (.+?) \| (.+?) \| (.+?) \| \[.+\]\((.+?)\) \|$", table, re.MULTILINE
    )

    assert len(rows) == len(SYMPTOMS) == PAINS
    assert len({symptom for symptom, *_ in rows}) == PAINS


@pytest.mark.parametrize("name", SYMPTOMS)
def test_symptom_is_answered(name: str) -> None:
    """A pain leads to a problem of the page, or to a document."""
    document, _, anchor = SYMPTOMS[name]["more"].partition("#")

    assert (DOCS / document).is_file() if document else anchor in CAUSES


def test_symptom_commands() -> None:
    """A pain that can happen here has a command, but for what one only reads."""
    without = {
        name
        for name, entry in SYMPTOMS.items()
        if entry.get("possible", True) and "command" not in entry
    }

    assert without == {"wrong_citation", "hidden_numbers"}
