"""The text of a report on the page: linked, with references and evidence."""

from collections.abc import Iterator, Sequence
from typing import Any

from agent.research import Report, body, summary
from citations import Source, page_form, source_list
from citations.evidence import shared_words
from ui.texts import text


def markdown_of(report: Report, language: str) -> str:
    """The whole message: sections, references, the spent budget."""
    image = f"[{text('image_blocked', language)}]"
    linked = page_form(body(report), report.sources, image=image)
    parts = [linked.strip("\n"), _references(report, language)]
    if report.ended is not None:
        parts.append(f"*{summary(report)}*")
    return "\n\n".join(part for part in parts if part)


def evidence_of(report: Report, message_id: str, language: str) -> dict[str, Any]:
    """The message to the page's script: the sentence behind each citation, in order."""
    return {
        "type": "websearch:evidence",
        "id": message_id,
        "citations": [*_entries(report, language)],
    }


def _references(report: Report, language: str) -> str:
    cited: Sequence[Source] = report.cited
    kinds = {one.number: text(_kind(one), language) for one in cited}
    hint = text("open_source", language)
    listed = source_list(cited, kinds=kinds, hint=hint)
    return f"#### {text('references', language)}\n\n{listed}" if listed else ""


def _entries(report: Report, language: str) -> Iterator[dict[str, Any]]:
    for statement in report.statements:
        for number in statement.numbers:
            if number not in report.sources:
                continue
            quote = statement.evidence.get(number, "")
            yield {
                "number": number,
                "quote": quote,
                "kind": text(_kind(report.sources[number]), language),
                "shared": shared_words(statement.text, quote),
                "missing": [],
                "values": [],
            }


def _kind(source: Source) -> str:
    return "full_text" if source.is_read else "snippet"
