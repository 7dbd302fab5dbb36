"""What a conversation is about, as far as its questions tell."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Subjects:
    """What the next question may refer to; '' where nothing is known."""

    subject: str = field(default="", repr=False)
    person: str = field(default="", repr=False)  # the last name, for he and she
    pair: str = field(default="", repr=False)  # two that are compared
    last: str = field(default="", repr=False)  # the last question, without signs

    @property
    def compared(self) -> str:
        """The two that are compared if the subject is one of them, else it alone."""
        return self.pair if self.subject in self.pair else self.subject
