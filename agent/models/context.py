"""The context of a model: the tokens that a prompt, its pages and the answer share."""

import re
import time
from collections.abc import Callable
from typing import Final

from agent.models.errors import fields_of

# No model that chats has a smaller one; without a limit nothing is cut for its sake.
LEAST: Final = 256
UNLIMITED: Final = 10_000_000
# Of a context for what is sent. A fifth has to be left for the answer; the rest is for
# the difference between our estimate and the model's own count.
_SENT_SHARE: Final = 0.66
# The model's tokens in one of our estimate, before it has counted a prompt: a model
# that has read little Chinese takes 1.8 for a Han character.
_FIRST_FACTOR: Final = 1.5
# Of what is listed or set, where a refusal without a number must be wrong.
_LEAST_SHARE: Final = 0.25
REFUSED_SECONDS: Final = 300.0  # a refusal counts so long; its server may be set anew
# The same as counted; of fewer it left out those that it kept.
_LEAST_FACTOR, _MOST_FACTOR = 0.4, 8.0
_LONG: Final = 400

# One token each: figures and signs, as in tables, code and addresses; characters of
# Chinese, Japanese and Korean (of the models that were measured one takes 0.6, another
# 1.9), letters of Thai, and emoji. Half of one: letters of other alphabets.
_SINGLE = re.compile(
    "[!-@\\[-`{-~\u0e00-\u0eff\u2600-\u27bf\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\uff00-\uffef\U0001f000-\U0001faff]+"
)
_LETTERS_PER_TOKEN: Final = 4
# Of three digits it is a status, not the context of a model that chats.
_NUMBER = re.compile(r"(?<![\w.,-])(?:\d{1,3}(?:,\d{3})+|\d{4,8})(?![\w-]|[.,]\d)")


class Context:
    """
    What a model can take in at once, as far as anybody has told.

    The smallest of these counts: the user's *limit*, what its server lists, and, for
    five minutes, what the server named when it refused a prompt.
    """

    def __init__(
        self,
        limit: int | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._limit = limit
        self._listed: int | None = None
        self._refused: int | None = None
        self._refused_at = 0.0
        self._clock = clock
        self._factor = _FIRST_FACTOR

    @property
    def tokens(self) -> int | None:
        """The tokens of prompt and answer; None where nobody has told."""
        is_old = self._clock() - self._refused_at > REFUSED_SECONDS
        refused = None if is_old else self._refused
        return min(filter(None, (self._limit, self._listed, refused)), default=None)

    @property
    def room(self) -> int:
        """The tokens that a prompt may have, as `count_tokens` estimates them."""
        if self.tokens is None:
            return UNLIMITED
        return int(self.tokens * _SENT_SHARE / self._factor)

    def update(self, listed: int | None) -> None:
        """Take over what the server's list says now."""
        if listed != self._listed:  # it was started anew, with another context
            self._listed, self._refused = listed, None
            self._factor = _FIRST_FACTOR

    def learn(self, sent: int, counted: int) -> None:
        """
        Note that the model *counted* a prompt that we took for *sent* tokens.

        What it counts more than we do is believed at once; less, by halves.
        """
        factor = counted / max(sent, 1)
        # Of a short one the signs around messages are a good part.
        if factor >= _LEAST_FACTOR and sent >= _LONG:
            self._factor = max(factor, (self._factor + factor) / 2, 1.0)
            self._factor = min(self._factor, _MOST_FACTOR)

    def refuse(self, sent: int, error: BaseException) -> None:
        """Learn from the refusal of a prompt of *sent* tokens; the next is smaller."""
        given = fields_of(error)
        named = [believable(given.get(name)) for name in ("n_ctx", "n_prompt_tokens")]
        counts = [*filter(None, named)]
        if not counts:  # the first two numbers of the message, in either order
            numbers = _NUMBER.findall(str(given.get("message", "")))
            read = (believable(int(number.replace(",", ""))) for number in numbers[:2])
            counts = sorted(filter(None, read))
        room, asked = [*counts, 0, 0][:2]
        if asked > room:
            self.learn(sent, asked)
        self._refused_at = self._clock()
        least = LEAST
        if room:
            self._refused = room
        else:
            known = min(filter(None, (self._limit, self._listed)), default=0)
            least = max(int(known * _LEAST_SHARE), LEAST)
        if self.room >= sent:  # it named no number, or a wrong one
            self._refused = max(int(sent * self._factor / 2), least)


def count_tokens(text: str) -> int:
    """Estimate tokens by script: a Han character is one, a Latin letter a fourth."""
    rest = _SINGLE.sub("", text)
    latin = len(rest.encode("ascii", "ignore"))
    other = len(rest) - latin
    return len(text) - len(rest) + -(-other // 2) + -(-latin // _LETTERS_PER_TOKEN)


def fitting(text: str, tokens: int) -> int:
    """The characters of *text* that make so many *tokens*, as it is written."""
    return max(tokens, 0) * len(text) // max(count_tokens(text), 1)


def believable(tokens: object) -> int | None:
    """A number of tokens as a server gave it; None where that can't be true."""
    if not isinstance(tokens, int) or isinstance(tokens, bool) or tokens < LEAST:
        return None
    return min(tokens, UNLIMITED)
