"""The agents of `agents.json`, each with its own instructions and search."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StrictBool,
    ValidationError,
)
from pydantic.fields import FieldInfo

from websearch.config import (
    Rejection,
    UnreadableFileError,
    engines_named,
    plain_name,
    read_json,
    remove,
)

FILE: Final = Path("agents.json")


class _Model(BaseModel):
    """An object of the file; the *title* of a field describes its valid values."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class _Search(_Model):
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


class _Agent(_Model):
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


class _File(_Model):
    agents: list[Any] = Field(
        default=[], max_length=50, title="at most 50 agents in […]"
    )


def entries(model: type[BaseModel] = _Agent, above: str = "") -> dict[str, FieldInfo]:
    """Map the path of each possible entry of *model* to its description."""
    known = {}
    for name, field in model.model_fields.items():
        path, kind = f"{above}{field.alias or name}", field.annotation
        known[path] = field
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            known |= entries(kind, f"{path}.")
    return known


@dataclass(frozen=True, slots=True)
class AgentProfile:
    """An agent that can be chosen; it contains no keys."""

    id: str = "default"
    name: str = ""
    instructions: str = ""
    can_search: bool = True
    provider: str | None = None  # "" where a rejected entry may have named it
    place: str = ""  # path of its provider in the file, for messages


DEFAULT: Final = AgentProfile()


@dataclass(frozen=True, slots=True)
class Agents:
    """The agents of the file, at least one, and the entries that were left out."""

    profiles: tuple[AgentProfile, ...] = (DEFAULT,)
    rejected: tuple[Rejection, ...] = ()

    @classmethod
    def load(cls) -> "Agents":
        """
        Read the file in the working directory, if there is one.

        A broken file may have forbidden searches, so the only agent left can't search.
        """
        rejected: list[Rejection] = []
        profiles = tuple(_profiles(rejected))
        for rejection in rejected:
            rejection.log()
        return cls(
            profiles or (AgentProfile(can_search=not rejected),), tuple(rejected)
        )


def _profiles(rejected: list[Rejection]) -> Iterator[AgentProfile]:
    """Each agent that can be used, in the order of the file."""
    known: set[str] = set()
    for number, entry in enumerate(_entries(rejected)):
        path = f"agents[{number}]"
        agent = _valid(_Agent, entry, path, rejected)
        if agent is None:
            continue
        if agent.id in known:
            _reject(rejected, path, "id", entries())
            continue
        known.add(agent.id)
        search = f"{FILE.name}: {path}.webSearch."
        # A rejected entry never means the engines of the settings.
        is_broken = any(one.place.startswith(search) for one in rejected)
        yield AgentProfile(
            id=agent.id,
            name=agent.name or agent.id,
            instructions=agent.instructions,
            can_search=agent.search.enabled,
            provider=agent.search.provider or ("" if is_broken else None),
            place=f"{search}provider",
        )


def _entries(rejected: list[Rejection]) -> list[Any]:
    try:
        data = read_json(FILE)
    except FileNotFoundError:
        return []
    except UnreadableFileError as error:
        rejected.append(Rejection(FILE.name, str(error)))
        return []
    if isinstance(data, dict):
        data.pop("$schema", None)  # added by editors; not an error
    file = _valid(_File, data, "", rejected)
    return file.agents if file else []


M = TypeVar("M", bound=BaseModel)


def _valid(model: type[M], data: Any, path: str, rejected: list[Rejection]) -> M | None:
    """Return *data* without invalid entries; None if nothing of it can be used."""
    known = entries(model)
    while True:
        try:
            return model.model_validate(data)
        except ValidationError as error:
            wrong = error.errors(include_input=False, include_url=False)
        for one in wrong:
            where = ".".join(map(str, one["loc"]))
            _reject(rejected, path, where, known)
            if one["type"] == "missing" or not where:
                return None
            remove(data, one["loc"])


def _reject(
    rejected: list[Rejection], path: str, where: str, known: Mapping[str, FieldInfo]
) -> None:
    """Reject an entry once; a removed entry is then reported as missing, too."""
    above, dot, name = where.rpartition(".")
    if where in known:
        expected = str(known[where].title)
    elif where:
        where = f"{above}{dot}{plain_name(name)}"
        siblings = (other.rpartition(".") for other in known)
        expected = " | ".join(last for first, _, last in siblings if first == above)
    else:
        expected = "{…}"
    place = ".".join(part for part in (path, where) if part)
    rejection = Rejection(f"{FILE.name}: {place}".removesuffix(": "), expected)
    if rejection not in rejected:
        rejected.append(rejection)
