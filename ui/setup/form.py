"""What both forms of the set-up page have in common."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Any, Final

from markdown_it import MarkdownIt
from pydantic import SecretStr, TypeAdapter, ValidationError

from ui.answer.search_errors import steps
from ui.texts import setup_words
from untrusted.text import shown
from websearch.config import BaseAddress, Key, in_environment
from websearch.doctor import Finding

_KEY: Final = TypeAdapter(Key)
# HTML of foreign text stays text.
_MARKDOWN: Final = MarkdownIt("commonmark", {"html": False})


class MistakeError(Exception):
    """Something in a form is missing or wrong: the name of the words that say so."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What the page shows after a press: notes, and models to choose from."""

    notes: list[str] = field(default_factory=list)
    models: tuple[str, ...] = ()
    address: str = ""  # that answered, where it differs from the typed one
    now: str = ""  # what is in use after saving
    is_good: bool = False

    def as_dict(self) -> dict[str, Any]:
        """The reply as JSON for public/setup.js."""
        notes = "".join(self.notes)
        return {
            "notes": notes,
            "models": self.models,
            "address": self.address,
            "now": self.now,
            "ok": self.is_good,
        }


def note(kind: str, markdown: str) -> str:
    """A note of a *kind*: good, bad or info."""
    return f'<div class="note {kind}">{_MARKDOWN.render(markdown)}</div>'


def advice_note(finding: Finding, language: str, *, is_good: bool = False) -> str:
    """A finding of the doctor with all its steps."""
    advice = finding.advice(language, shown)
    words = [f"**{advice.title}** {advice.cause}", steps(advice)]
    if advice.cure and not is_good:
        page = advice.link.removeprefix("docs/").replace(".md", "")
        words.append(f"[{setup_words(language)['more']}](/help/{page})")
    return note("good" if is_good else "bad", "\n\n".join(filter(None, words)))


def option(name: str, value: str, title: str, *, is_chosen: bool, **data: str) -> str:
    """A choice of a form; public/setup.js reads its *data*."""
    facts = "".join(f' data-{key}="{escape(fact)}"' for key, fact in data.items())
    checked = " checked" if is_chosen else ""
    return (
        f'<label><input type="radio" name="{name}" value="{escape(value)}"'
        f"{checked}{facts}><span>{escape(title)}</span></label>"
    )


def typed(sent: Mapping[str, str], name: str) -> str:
    """What was typed into a field."""
    return sent.get(name, "").strip()


def typed_key(sent: Mapping[str, str]) -> SecretStr | None:
    """The typed key; None where the field was left empty."""
    text = typed(sent, "key")
    try:
        return _KEY.validate_python(text) if text else None
    except ValidationError:
        raise MistakeError("bad_key") from None


def typed_address(sent: Mapping[str, str], known: BaseAddress) -> BaseAddress:
    """The typed address; the *known* one with its password, where that was shown."""
    try:
        address = BaseAddress.parse(typed(sent, "address"))
    except ValueError:
        raise MistakeError("bad_address") from None
    is_same = address.url == known.url and not address.has_credentials
    return known if is_same else address


def overriding(names: list[str], language: str) -> str:
    """A note about variables of the environment that win over .env; '' without any."""
    winning = ", ".join(f"`{name}`" for name in names if in_environment(name))
    words = setup_words(language)["environment_wins"]
    return note("info", words.format(names=winning)) if winning else ""
