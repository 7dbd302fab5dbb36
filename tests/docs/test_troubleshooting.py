"""docs/troubleshooting.md is what the doctor says; `make docs` writes it anew."""

import asyncio
import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from support.doctor import examine, report
from support.faults import FAULTS, under
from support.loopback import served
from support.paths import ROOT
from support.searxng_pages import healthy

from agent.models.catalog import ModelState
from websearch.doctor.advice import AnyProblem, Problem, advise
from websearch.doctor.diagnosis import Diagnosis

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
PROBLEMS: dict[str, AnyProblem] = {str(one): one for one in [*Problem, *ModelState]}
SHOWN = {"address": "http://localhost:8080", "host": "localhost", "port": 8080}
NAMED = {"address": "http://serxng:8080", "host": "serxng"}


def shown(diagnosis: Diagnosis, **changes: object) -> Diagnosis:
    """The diagnosis with the address of an ordinary server."""
    (finding,) = diagnosis.findings
    facts = {**finding.facts, **SHOWN, **changes}
    return replace(
        diagnosis,
        address=str(facts["address"]),
        findings=[replace(finding, facts=facts)],
    )


async def diagnoses() -> Mapping[AnyProblem, Diagnosis]:
    """The doctor's findings at real servers on loopback, one for each fault."""
    found: dict[AnyProblem, Diagnosis] = {}
    for script, _ in FAULTS.values():
        with served(script) as server:
            diagnosis = await examine(server.url)
        found.setdefault(diagnosis.main.problem, shown(diagnosis))
    with served(under("/searxng")) as server:
        diagnosis = await examine(server.url)
        found[diagnosis.main.problem] = shown(
            diagnosis, found="http://localhost:8080/searxng"
        )
    with served(lambda _: lambda: iter([30.0])) as server:
        diagnosis = await examine(server.url, seconds=0.2)
        found[diagnosis.main.problem] = shown(diagnosis, seconds="5")
    with served(healthy) as server:
        pass
    for in_container in (False, True):
        diagnosis = await examine(server.url, in_container=in_container)
        found[diagnosis.main.problem] = shown(diagnosis)
    diagnosis = await examine("http://serxng.invalid:8080")
    found[diagnosis.main.problem] = shown(diagnosis, **NAMED)
    return found


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
        return advise(PROBLEMS[anchor], SHOWN, language).title
    return (DOCS / name).read_text(encoding="utf-8").partition("\n")[0].strip("# ")


def target(more: str, language: str) -> str:
    """The document in the reader's language, where there is one."""
    name, mark, anchor = more.partition("#")
    own = name.replace(".md", f".{language}.md")
    return f"{own if name and (DOCS / own).exists() else name}{mark}{anchor}"


def document(language: str, found: Mapping[AnyProblem, Diagnosis]) -> str:
    """The whole page: each problem with the doctor's words."""
    parts = [HEADS[language], by_symptom(language)]
    for problem in PROBLEMS.values():
        facts = found[problem].main.facts if problem in found else {}
        advice = advise(problem, facts, language)
        parts.append(f'<a id="{problem}"></a>\n## {advice.title}\n')
        if problem in found:
            parts.append(f"```text\n{report(found[problem], language, 88)}```\n")
        else:
            steps = "".join(f"- {step}\n" for step in advice.cure)
            parts.append("\n\n".join(filter(None, [advice.cause, steps])))
    return "\n".join(part.rstrip() + "\n" for part in parts)


@pytest.mark.spec("G3", "G4", "G5")
@pytest.mark.parametrize("language", FILES)
def test_up_to_date(language: str) -> None:
    """The page holds every problem, with the doctor's own words for it."""
    found = asyncio.run(diagnoses())
    text = document(language, found)
    file = DOCS / FILES[language]
    if os.environ.get("UPDATE_DOCS"):
        file.write_text(text, encoding="utf-8")

    assert len(found) >= 20
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

    assert (DOCS / document).is_file() if document else anchor in PROBLEMS


def test_symptom_commands() -> None:
    """A pain that can happen here has a command, but for what one only reads."""
    without = {
        name
        for name, entry in SYMPTOMS.items()
        if entry.get("possible", True) and "command" not in entry
    }

    assert without == {"wrong_citation", "hidden_numbers"}
