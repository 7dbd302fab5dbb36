"""Settings of the web page: environment, .env, default."""

from typing import Annotated, Literal

from pydantic import Field

from websearch.command_line import LanguageSettings
from websearch.config import setting

# Sentences and missing values, the sentences alone, or nothing.
EvidenceMode = Literal["values", "sentence", "off"]


class PageSettings(LanguageSettings):
    """Settings of the web page."""

    allowed_hosts: str = setting(
        "ALLOWED_HOSTS",
        "Names, beside `localhost`, under which the page may be opened, with commas "
        "between them. Needed behind a proxy.",
        default="",
    )
    allow_public: bool = setting(
        "ALLOW_PUBLIC_WITHOUT_LOGIN",
        "Start also where other machines can reach the page. "
        "There is no login: everybody who can reach it uses your search and your key.",
        default=False,
    )
    evidence: EvidenceMode = setting(
        "EVIDENCE",
        "`sentence`: the preview of a citation shows the sentence of its source; "
        "`values`: a number, date or version that no cited source holds is marked "
        "too; `off`: neither. The settings panel begins with it.",
        default="sentence",
    )
    answers_at_once: Annotated[int, Field(ge=1, le=1_000)] = setting(
        "ANSWERS_AT_ONCE",
        "Answers that one process writes at the same time; further questions wait and "
        "are told how many come before them. One address gets half of them at most.",
        default=20,
    )

    @property
    def is_shared(self) -> bool:
        """Tell if others than the user of this machine may open the page."""
        return self.allow_public or bool(self.allowed_hosts.strip())
