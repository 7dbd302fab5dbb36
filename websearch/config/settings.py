"""Settings of the search layer: environment, .env, config.json, default."""

import re
from typing import Annotated, Any, Final

from pydantic import Field, SecretStr, StringConstraints
from pydantic.functional_validators import AfterValidator, BeforeValidator

from websearch.config.address import Address, BaseAddress, Proxy
from websearch.config.allowed_hosts import AllowedHosts, Hosts
from websearch.config.sources import SettingsBase, setting

DEFAULT_SEARXNG: Final = "http://localhost:8080"
DEFAULT_BOCHA: Final = "https://api.bochaai.com"
USER_AGENT: Final = "websearch-chat/0.1"
_SECONDS: Final = (0.1, 60)

# Common names of the engine that needs no key.
_OTHER_NAMES: Final = {"duckduckgo": "ddg_html", "duck-duck-scrape": "ddg_html"}


def engines_named(names: Any) -> str:
    """Read the engines of `a+b` in a JSON file; ValueError if there is none."""
    if not isinstance(names, str) or not names.strip():
        raise ValueError("the name of an engine, such as searxng")
    plain = [name.strip().lower() for name in names.split("+")]
    return "+".join(_OTHER_NAMES.get(name, name) for name in plain)


def _chain(names: Any) -> str:
    if not isinstance(names, list):
        raise ValueError('["ddg_html"]')  # noqa: TRY004  pydantic's for a wrong value
    return ", ".join(map(engines_named, names))


def _milliseconds(seconds: Any) -> int:
    least, most = _SECONDS
    if isinstance(seconds, bool) or not isinstance(seconds, int | float):
        seconds = 0  # refused below; Python treats true as 1
    if least <= seconds <= most:
        milliseconds: int = round(seconds * 1000)
        return milliseconds
    raise ValueError(f"{least}-{most}")


def _key(value: Any) -> SecretStr:
    """Refuse a key that can't be sent in a header: line breaks, full-width letters."""
    text = value.get_secret_value() if isinstance(value, SecretStr) else value
    if not isinstance(text, str) or not re.fullmatch(r"[\x21-\x7e]+", text.strip()):
        raise ValueError("a key of visible ASCII characters")
    return SecretStr(text.strip())


def _language(value: Any) -> str:
    text = str(value).strip().replace("_", "-")
    if text.lower() in {"auto", "all"}:
        return text.lower()
    if not re.fullmatch(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,2}", text):
        raise ValueError("a language tag such as zh-CN, or auto")
    return text


Key = Annotated[SecretStr, BeforeValidator(_key)]
UserAgent = Annotated[
    str,
    StringConstraints(strip_whitespace=True, pattern=r"^[\x20-\x7e]{1,200}$"),
    Field(title="1 to 200 printable ASCII characters in one line"),
]
Language = Annotated[str, BeforeValidator(_language)]
Names = Annotated[str, AfterValidator(str.lower)]


class Settings(SettingsBase):
    """Settings of the search layer."""

    backend: Names | None = setting(
        "WEB_SEARCH_BACKEND",
        "Engine that searches: `searxng`, `ddg_html` (DuckDuckGo), `baidu_html`, "
        "`google` (in a headless browser, see `make browser`), `brave`, `bocha` or "
        "`stub`. "
        "Several names joined by `+` are asked at once, and their results merged. "
        "Unset means `stub` in the tool contract, and `searxng` in the app; where no "
        "setting names an engine or an address, `ddg_html` and then `stub` serve "
        "while there is no SearXNG.",
        in_file="defaultProvider",
        convert=engines_named,
    )
    searxng_base_url: Address = setting(
        "SEARXNG_BASE_URL",
        "Address of SearXNG, with its path prefix where it has one. "
        "`user:password@` before the host is sent as basic authentication.",
        default=BaseAddress(DEFAULT_SEARXNG),
        in_file="providers.searxng.baseUrl",
    )
    searxng_api_key: Key | None = setting(
        "SEARXNG_API_KEY",
        "Bearer token for a proxy in front of SearXNG, which has no keys of its own.",
        in_file="providers.searxng.apiKey",
    )
    searxng_timeout_ms: int | None = setting(
        "SEARXNG_TIMEOUT_MS",
        "Time limit of a search through SearXNG in milliseconds. "
        "Unset means `WEB_SEARCH_TIMEOUT_MS`.",
        limits=(100, 60_000),
        in_file="providers.searxng.timeoutMs",
    )
    brave_api_key: Key | None = setting(
        "BRAVE_API_KEY",
        "Key of Brave's search API, for the backend `brave`.",
        in_file="providers.brave.apiKey",
    )
    bocha_api_key: Key | None = setting(
        "BOCHA_API_KEY",
        "Key of Bocha's search API, for the backend `bocha`.",
        in_file="providers.bocha.apiKey",
    )
    bocha_base_url: Address = setting(
        "BOCHA_BASE_URL",
        "Address of Bocha's API; a newer account may name another host.",
        default=BaseAddress(DEFAULT_BOCHA),
        in_file="providers.bocha.baseUrl",
    )
    bocha_timeout_ms: int | None = setting(
        "BOCHA_TIMEOUT_MS",
        "Time limit of a search through Bocha in milliseconds. "
        "Unset means `WEB_SEARCH_TIMEOUT_MS`.",
        limits=(100, 60_000),
        in_file="providers.bocha.timeoutMs",
    )
    bocha_top_k: int = setting(
        "BOCHA_TOP_K_DEFAULT",
        "Results that Bocha is asked for at least; a search that wants more asks for "
        "more, and wants 10 where it names no number. Some accounts allow 10 at most.",
        default=10,
        limits=(1, 50),
        in_file="providers.bocha.topK",
    )
    timeout_ms: int = setting(
        "WEB_SEARCH_TIMEOUT_MS",
        "Time limit of a whole search in milliseconds.",
        default=5_000,
        limits=(100, 60_000),
        in_file="timeoutSeconds",
        convert=_milliseconds,
    )
    max_results: int = setting(
        "WEB_SEARCH_MAX_RESULTS",
        "Results shown to the model and to the user.",
        default=5,
        limits=(1, 10),
        in_file="maxResults",
    )
    language: Language = setting(
        "WEB_SEARCH_LANGUAGE",
        "Language of results, such as `zh-CN`; `all` for any; `auto` takes it from "
        "the script of the query.",
        default="auto",
    )
    log_queries: bool = setting(
        "WEB_SEARCH_LOG_QUERIES",
        "Write the words of each search to the log. Off for privacy.",
        default=False,
    )

    fallback: Names | None = setting(
        "WEB_SEARCH_FALLBACK",
        "Engines asked one after the other where the one before fails, separated by "
        "commas. "
        "Beside those of `WEB_SEARCH_BACKEND` and of the two files, only engines "
        "named here ever receive a query.",
        in_file="fallback",
        convert=_chain,
    )
    scrapes_per_minute: int = setting(
        "WEB_SEARCH_SCRAPES_PER_MINUTE",
        "Searches a minute through each engine that is asked without a key. "
        "More wait for their turn, or are refused.",
        default=20,
        limits=(1, 600),
    )
    fetch_timeout_ms: int | None = setting(
        "WEB_FETCH_TIMEOUT_MS",
        "Time limit in milliseconds for a page that is read, and for engines whose web "
        "page is read (`ddg_html`, `baidu_html`, `google`). "
        "Unset means 8 s for a page, and `WEB_SEARCH_TIMEOUT_MS` for an engine.",
        limits=(100, 60_000),
    )
    fetch_proxy: Proxy | None = setting(
        "WEB_FETCH_PROXY",
        "HTTP proxy for engines whose web page is read, such as "
        "`http://127.0.0.1:7890`; `user:password@` before the host where it wants "
        "them. "
        "Unset means the proxy of the environment (`HTTPS_PROXY`, `HTTP_PROXY`, "
        "`ALL_PROXY`, without the hosts in `NO_PROXY`), or else a direct connection.",
    )
    fetch_user_agent: UserAgent = setting(
        "WEB_FETCH_USER_AGENT",
        "Name under which web pages are read, up to 200 ASCII characters. "
        "SearXNG, Brave and Bocha always get the default, and the browser its own.",
        default=USER_AGENT,
    )

    fetch_enabled: bool = setting(
        "WEB_FETCH_ENABLED",
        "Whether pages are read at all. `false`: no page is ever requested.",
        default=True,
    )
    fetch_allowed_hosts: Hosts = setting(
        "WEB_FETCH_ALLOWED_HOSTS",
        "Hosts of a private network whose pages may be read and linked, "
        "separated by commas: "
        "`wiki.corp, 10.1.2.3:8080, 10.9.0.0/16`. "
        "A host without a port means 80 and 443. "
        "All other private and local addresses are refused.",
        default=AllowedHosts(),
    )

    fetch_browser: bool = setting(
        "WEB_FETCH_BROWSER",
        "Whether a page that is empty without scripts is rendered by a headless "
        "Chrome. It needs `make browser` and an installed Chrome, Chromium or Edge.",
        default=False,
    )
    chrome_path: str | None = setting(
        "CHROME_PATH",
        "Program of the browser for `google` and `WEB_FETCH_BROWSER`. "
        "Unset means the first Chrome, Chromium or Edge that is installed.",
    )

    cache_ttl_minutes: float = setting(
        "WEB_SEARCH_CACHE_TTL_MINUTES",
        "Minutes for which all conversations share what a search found. "
        "The same query of another user is then answered from memory; nothing about "
        "the user is stored with it. `0`: not at all.",
        default=0.0,
        limits=(0, 1_440),
        in_file="cacheTtlMinutes",
    )

    @property
    def names_searxng(self) -> bool:
        """True if a setting tells where SearXNG is."""
        return "searxng_base_url" in self.model_fields_set

    @property
    def has_broken_file(self) -> bool:
        """True if an entry of a file was rejected: it may have chosen engines."""
        return any(rejection.is_in_file for rejection in self.rejected)

    @property
    def timeout(self) -> float:
        """Seconds for a whole search through the chosen backend."""
        return self.timeout_of(self.backend or "searxng")

    def timeout_of(self, backend: str) -> float:
        """Seconds for a whole search through *backend*."""
        own = {"searxng": self.searxng_timeout_ms, "bocha": self.bocha_timeout_ms}
        pages = self.fetch_timeout_ms if is_page_engine(backend) else None
        return (own.get(backend) or pages or self.timeout_ms) / 1000


def is_page_engine(backend: str) -> bool:
    """True if *backend* reads an engine's web page, as `web.fetch` reads pages."""
    return backend.endswith("_html") or backend == "google"
