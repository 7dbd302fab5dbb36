"""`config.json` as a source of settings: keys come first, all else comes last."""

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource

from websearch.config.json_check import schema_at
from websearch.config.json_file import read
from websearch.config.lenient import came_from, note

CONFIG: Final = Path("config.json")
SCHEMA: Final = Path(__file__).with_name("config.schema.json")

# Names under which people know the engine without a key.
_OTHER_NAMES: Final[Mapping[str, str]] = {
    "duckduckgo": "ddg_html",
    "duck-duck-scrape": "ddg_html",
}


class Entry(NamedTuple):
    """A place in the file, and what the schema says of it."""

    path: tuple[str, ...]
    schema: Mapping[str, Any]

    @property
    def variable(self) -> str:
        """The environment variable that means the same."""
        return str(self.schema["x-setting"])

    @property
    def is_key(self) -> bool:
        """Whether it is a secret."""
        return bool(self.schema.get("writeOnly"))


class ConfigFile:
    """The file in the folder where the program starts, where there is one."""

    def __init__(self) -> None:
        self.file = read(CONFIG, SCHEMA)
        for mistake in self.file.mistakes:
            note(mistake)

    def keys(self, settings: type[BaseSettings]) -> "ConfigValues":
        """The keys in it, as a source of settings."""
        return ConfigValues(settings, self._values(keys=True))

    def others(self, settings: type[BaseSettings]) -> "ConfigValues":
        """All but the keys, as a source of settings."""
        return ConfigValues(settings, self._values(keys=False))

    def _values(self, *, keys: bool) -> dict[str, Any]:
        found = (
            (entry, _at(self.file.data, entry.path))
            for entry in entries()
            if entry.is_key is keys
        )
        return {
            entry.variable: _value(value, entry)
            for entry, value in found
            if value is not None
        }


class ConfigValues(PydanticBaseSettingsSource):
    """Values of the file by their variables, where no stronger source has one."""

    def __init__(self, settings: type[BaseSettings], values: Mapping[str, Any]) -> None:
        super().__init__(settings)
        self._values = values

    def get_field_value(self, _field: FieldInfo, name: str) -> tuple[Any, str, bool]:
        """Not asked: the values come all at once."""
        return None, name, False

    def __call__(self) -> dict[str, Any]:
        """What is left to the file; it is noted where it came from."""
        left = self._values.keys() - self.current_state.keys()
        places = {entry.variable: entry.path for entry in entries()}
        for variable in left:
            came_from(variable, f"{CONFIG.name}: {'.'.join(places[variable])}")
        return {variable: self._values[variable] for variable in left}


@cache
def entries() -> tuple[Entry, ...]:
    """Every setting that the file can hold."""
    return tuple(_entries(schema_at(SCHEMA), ()))


def _entries(schema: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[Entry]:
    if "x-setting" in schema:
        yield Entry(path, schema)
    for name, below in schema.get("properties", {}).items():
        yield from _entries(below, (*path, name))


def _at(data: Any, path: tuple[str, ...]) -> Any:
    for name in path:
        data = data.get(name) if isinstance(data, Mapping) else None
    return data


def engines_named(names: str) -> str:
    """The backends that `a+b` in a file means."""
    plain = [name.strip().lower() for name in names.split("+")]
    return "+".join(_OTHER_NAMES.get(name, name) for name in plain)


def _value(value: Any, entry: Entry) -> Any:
    if isinstance(value, list):
        return ", ".join(engines_named(name) for name in value)
    if entry.variable == "WEB_SEARCH_BACKEND":
        return engines_named(value)
    return (
        round(value * entry.schema["x-times"]) if "x-times" in entry.schema else value
    )
