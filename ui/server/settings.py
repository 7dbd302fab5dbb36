"""Settings of the web page: environment, .env, default."""

from typing import Literal

from pydantic import Field

from websearch.config import SettingsBase

# Sentences and missing values, the sentences alone, or nothing.
EvidenceMode = Literal["values", "sentence", "off"]


class PageSettings(SettingsBase):
    """Settings of the web page."""

    allowed_hosts: str = Field(
        default="",
        alias="ALLOWED_HOSTS",
        description="Names, beside `localhost`, under which the page may be opened, "
        "with commas between them. Needed behind a proxy.",
    )
    allow_public: bool = Field(
        default=False,
        alias="ALLOW_PUBLIC_WITHOUT_LOGIN",
        description="Start also where other machines can reach the page. "
        "There is no login: everybody who can reach it uses your search and your key.",
    )
    evidence: EvidenceMode = Field(
        default="sentence",
        alias="EVIDENCE",
        description="`sentence`: the preview of a citation shows the sentence of its "
        "source; `values`: a number, date or version that no cited source holds is "
        "marked too; `off`: neither. The settings panel begins with it.",
    )
