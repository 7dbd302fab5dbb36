"""What is said of mistakes in JSON files, in each language at once."""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

_WORDS: Final = Path(__file__).with_name("json_words.toml")


class Words(dict[str, str]):
    """The same in each language."""

    @classmethod
    def of(cls, name: str, **facts: object) -> "Words":
        """The words of that name, with *facts* that may be words themselves."""
        return cls(
            {
                language: words[name].format_map(_in(language, facts))
                for language, words in _words().items()
            }
        )

    @classmethod
    def same(cls, text: str) -> "Words":
        """What is the same in all languages."""
        return cls(dict.fromkeys(_words(), text))


@cache
def _words() -> Mapping[str, Mapping[str, str]]:
    return tomllib.loads(_WORDS.read_text(encoding="utf-8"))


def _in(language: str, facts: Mapping[str, object]) -> dict[str, object]:
    return {n: f[language] if isinstance(f, Words) else f for n, f in facts.items()}
