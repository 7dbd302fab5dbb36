"""Every word of a page: its text, its accessible names, what its style adds."""

import re

from playwright.sync_api import Page

# Of a tab that is open, with what only a screen reader or a pointer meets.
_WORDS = r"""() => {
  const words = [document.title, `lang=${document.documentElement.lang}`];
  const named = ['aria-label', 'title', 'placeholder', 'alt', 'aria-description'];
  for (const node of document.querySelectorAll('body *')) {
    if (node.closest('script, style, pre, code')) continue;
    for (const child of node.childNodes)
      if (child.nodeType === Node.TEXT_NODE) words.push(child.nodeValue);
    for (const name of named) words.push(node.getAttribute(name) ?? '');
    for (const place of ['::before', '::after']) {
      const { content } = getComputedStyle(node, place);
      if (content.startsWith('"')) words.push(content.slice(1, -1));
    }
  }
  return words.map((some) => some.trim()).filter(Boolean);
}"""
_CHINESE = re.compile("[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]")
_LATIN = re.compile(r"[A-Za-z]{2,}")
# Names and addresses are the same in every language.
_NAME = re.compile(
    r"(?:https?://)?[\w.-]+\.(?:org|json|yml)(?:/\S*| · \[\d+\])?|https?://\S+"
    r"|[ⓘ⚠] [\w.#-]+|SearXNG|websearch-chat|/\w+(?: \w+)?|sh"
    r"|scripted(?:-2)?(?: · <?[\d.]+ s)?"  # the model, and its time below an answer
    r"|doctor|report|search (?:on|off)"  # the commands that "/" lists
)


class Words:
    """The texts seen on a page, screen by screen."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._seen: dict[str, str] = {}

    def look(self, screen: str) -> None:
        """Note what the page says now."""
        for words in self._page.evaluate(_WORDS):
            self._seen.setdefault(words, screen)

    def foreign(self, language: str) -> dict[str, str]:
        """Words that are not in *language*, and the screens where they first stood."""
        name = f"lang={language}"
        is_foreign = _is_chinese if language == "en-US" else _is_english
        return {
            words: screen
            for words, screen in self._seen.items()
            if (words != name if words.startswith("lang=") else is_foreign(words))
        }


def _is_chinese(words: str) -> bool:
    return bool(_CHINESE.search(words))


def _is_english(words: str) -> bool:
    """Without a Chinese sign, and more than names and figures."""
    parts = words.strip(" ·").split(" · ")
    is_more = any(_LATIN.search(one) and not _NAME.fullmatch(one) for one in parts)
    return is_more and not _CHINESE.search(words)
