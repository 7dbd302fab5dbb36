"""The agents of `agents.json`, each with its own instructions and search."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StrictBool,
    field_validator,
)

from websearch.config import Rejection, engines_named, read_model

FILE: Final = Path("agents.json")


class _Entry(BaseModel):
    """An object of the file; the *title* of a field describes its valid values."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class _Search(_Entry):
    enabled: StrictBool = Field(
        default=False,
        title="true | false",
        description="Without it, or with false, the model can't even see that there "
        "is a search.",
    )
    provider: Annotated[str, AfterValidator(engines_named)] | None = Field(
        default=None,
        title="the name of an engine, such as searxng",
        description="Engine instead of the global default; keys have their place in "
        "config.json.",
    )


class _Agent(_Entry):
    id: str = Field(
        pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]{0,49}$",
        title="1 to 50 letters, digits, _ and -, once in the file",
        description="A short name that stays the same.",
    )
    name: str = Field(
        default="",
        pattern=r"\S",
        max_length=60,
        title="text of 1 to 60 characters",
        description="The name in the panel; the id where there is none.",
    )
    instructions: str = Field(
        default="",
        max_length=10_000,
        title="text of at most 10000 characters",
        description="Given to the model beside the rules of searching and citing.",
    )
    search: _Search = Field(default=_Search(), alias="webSearch", title="{…}")


class File(_Entry):
    """The whole file."""

    agents: list[_Agent] = Field(
        default=[], max_length=50, title="at most 50 agents in […]"
    )

    @field_validator("agents")
    @classmethod
    def _distinct(cls, agents: list[_Agent]) -> list[_Agent]:
        if len({agent.id for agent in agents}) < len(agents):
            raise ValueError("each id once")
        return agents


@dataclass(frozen=True, slots=True)
class AgentProfile:
    """An agent that can be chosen; it contains no keys."""

    id: str = "default"
    name: str = ""
    instructions: str = ""
    can_search: bool = True
    provider: str | None = None
    place: str = ""  # path of its provider in the file, for messages


@dataclass(frozen=True, slots=True)
class Agents:
    """The agents of the file, at least one, and the mistake for which it is unused."""

    profiles: tuple[AgentProfile, ...] = (AgentProfile(),)
    rejected: tuple[Rejection, ...] = ()

    @classmethod
    def load(cls) -> Self:
        """
        Read the file in the working directory, if there is one.

        A broken file may have forbidden searches, so the only agent left can't search.
        """
        file, rejection = read_model(FILE, File)
        if rejection:
            return cls((AgentProfile(can_search=False),), (rejection,))
        profiles = tuple(
            AgentProfile(
                id=agent.id,
                name=agent.name or agent.id,
                instructions=agent.instructions,
                can_search=agent.search.enabled,
                provider=agent.search.provider,
                place=f"{FILE.name}: agents[{number}].webSearch.provider",
            )
            for number, agent in enumerate(file.agents)
        )
        return cls(profiles or cls().profiles)
