"""Pages that the model may open, under their numbers."""

import re
from collections.abc import Iterable
from typing import Final

from citations import CitationManager, Source
from untrusted.urls import addresses_in, clean_url, page_key

_MOST_WRITTEN: Final = 20  # addresses in one message of the user
# Signs in which a model may put an address, or a number.
_AROUND: Final = " \t\r\n<>\"'`,;.\u201c\u201d\u3002\uff0c\uff1b"
_NUMBER = re.compile(r"[#(\[\u3010\uff3b]?\s*([0-9]{1,4})\s*[)\]\u3011\uff3d]?")


class OpenPages:
    """
    Pages that the model may open, under their numbers.

    They are those that a search of the conversation has found, and the addresses in
    what the user *wrote*. A request goes to the address known here, never to the
    model's spelling of it, which could carry words of the conversation to the site.
    """

    def __init__(self, citations: CitationManager, written: Iterable[str] = ()) -> None:
        self.citations = citations
        self._written = {
            page_key(url): url
            for text in written
            for url in addresses_in(text, _MOST_WRITTEN)
        }

    def source_of(self, name: str) -> Source | None:
        """The source that *name* means, a number or an address; None: not allowed."""
        if number := _NUMBER.fullmatch(name.strip()):
            return self.citations.sources.get(int(number[1]))
        for spelling in (name, name.strip(_AROUND), f"https://{name.strip(_AROUND)}"):
            if not (url := clean_url(spelling)):
                continue
            if known := self.citations.number_of(page_key(url)):
                return self.citations.sources[known]
            if written := self._written.get(page_key(url)):
                return self.citations.give(written)
        return None
