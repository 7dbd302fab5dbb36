"""Settings of the search layer: environment, .env, config.json, default."""

import re
from typing import Annotated, Any, Final, Literal

from pydantic import Field, SecretStr
from pydantic.functional_validators import AfterValidator, BeforeValidator

from websearch.config.address import Address, BaseAddress, Proxy
from websearch.config.allowed_hosts import AllowedHosts, Hosts
from websearch.config.sources import (
    InFile,
    SettingsBase,
)

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


def _user_agent(value: Any) -> str:
    text = str(value).strip()
    if not re.fullmatch(r"[\x20-\x7e]{1,200}", text):
        raise ValueError("1 to 200 printable ASCII characters in one line")
    return text


def _language(value: Any) -> str:
    text = str(value).strip().replace("_", "-")
    if text.lower() in {"auto", "all"}:
        return text.lower()
    if not re.fullmatch(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,2}", text):
        raise ValueError("a language tag such as zh-CN, or auto")
    return text


Key = Annotated[SecretStr, BeforeValidator(_key)]
UserAgent = Annotated[str, BeforeValidator(_user_agent)]
Language = Annotated[str, BeforeValidator(_language)]
Names = Annotated[str, AfterValidator(str.lower)]


class Settings(SettingsBase):
    """Settings of the search layer."""

    backend: Annotated[Names | None, InFile("defaultProvider", engines_named)] = Field(
        default=None,
        alias="WEB_SEARCH_BACKEND",
        description="Engine that searches: `searxng`, `ddg_html` (DuckDuckGo), "
        "`baidu_html`, `google` (in a headless browser, see `make browser`), `brave`, "
        "`bocha` or `stub`. "
        "Several names joined by `+` are asked at once, and their results merged. "
        "Unset means `stub` in the tool contract, and `searxng` in the app; "
        "where no setting names an engine or an address, `ddg_html` and then `stub` "
        "serve while there is no SearXNG.",
    )
    searxng_base_url: Annotated[Address, InFile("providers.searxng.baseUrl")] = Field(
        default=BaseAddress(DEFAULT_SEARXNG),
        alias="SEARXNG_BASE_URL",
        description="Address of SearXNG, with its path prefix where it has one. "
        "`user:password@` before the host is sent as basic authentication.",
    )
    searxng_api_key: Annotated[
        Key | None, InFile("providers.searxng.apiKey", is_stronger=True)
    ] = Field(
        default=None,
        alias="SEARXNG_API_KEY",
        description="Bearer token for a proxy in front of SearXNG, "
        "which has no keys of its own.",
    )
    searxng_timeout_ms: Annotated[int | None, InFile("providers.searxng.timeoutMs")] = (
        Field(
            default=None,
            ge=100,
            le=60_000,
            alias="SEARXNG_TIMEOUT_MS",
            description="Time limit of a search through SearXNG in milliseconds, "
            "100 to 60000. Unset means `WEB_SEARCH_TIMEOUT_MS`.",
        )
    )
    searxng_method: Literal["GET", "POST"] = Field(
        default="GET",
        alias="SEARXNG_METHOD",
        description="`POST` keeps queries out of the access log of a proxy in front "
        "of SearXNG. Long queries are sent so in any case.",
    )
    brave_api_key: Annotated[
        Key | None, InFile("providers.brave.apiKey", is_stronger=True)
    ] = Field(
        default=None,
        alias="BRAVE_API_KEY",
        description="Key of Brave's search API, for the backend `brave`.",
    )
    bocha_api_key: Annotated[
        Key | None, InFile("providers.bocha.apiKey", is_stronger=True)
    ] = Field(
        default=None,
        alias="BOCHA_API_KEY",
        description="Key of Bocha's search API, for the backend `bocha`.",
    )
    bocha_base_url: Annotated[Address, InFile("providers.bocha.baseUrl")] = Field(
        default=BaseAddress(DEFAULT_BOCHA),
        alias="BOCHA_BASE_URL",
        description="Address of Bocha's API; a newer account may name another host.",
    )
    bocha_timeout_ms: Annotated[int | None, InFile("providers.bocha.timeoutMs")] = (
        Field(
            default=None,
            ge=100,
            le=60_000,
            alias="BOCHA_TIMEOUT_MS",
            description="Time limit of a search through Bocha in milliseconds, "
            "100 to 60000. Unset means `WEB_SEARCH_TIMEOUT_MS`.",
        )
    )
    bocha_top_k: Annotated[int, InFile("providers.bocha.topK")] = Field(
        default=10,
        ge=1,
        le=50,
        alias="BOCHA_TOP_K_DEFAULT",
        description="Results that Bocha is asked for at least, 1 to 50; a search that "
        "wants more asks for more, and wants 10 where it names no number. "
        "Some accounts allow 10 at most.",
    )
    timeout_ms: Annotated[int, InFile("timeoutSeconds", _milliseconds)] = Field(
        default=5_000,
        ge=100,
        le=60_000,
        alias="WEB_SEARCH_TIMEOUT_MS",
        description="Time limit of a whole search in milliseconds, 100 to 60000.",
    )
    enabled: bool = Field(
        default=True,
        alias="WEB_SEARCH_ENABLED",
        description="Whether Agent mode has a search tool at all. "
        "`false`: the model can't even see that there is one.",
    )
    max_results: Annotated[int, InFile("maxResults")] = Field(
        default=5,
        ge=1,
        le=10,
        alias="WEB_SEARCH_MAX_RESULTS",
        description="Results shown to the model and to the user, 1 to 10.",
    )
    snippet_length: int = Field(
        default=200,
        ge=20,
        le=2_000,
        alias="WEB_SEARCH_SNIPPET_LENGTH",
        description="Characters of a snippet that reach the model, 20 to 2000.",
    )
    cache_queries: int = Field(
        default=20,
        ge=1,
        le=1_000,
        alias="WEB_SEARCH_CACHE_QUERIES",
        description="Searches that an Agent mode conversation remembers, 1 to 1000.",
    )
    language: Language = Field(
        default="auto",
        alias="WEB_SEARCH_LANGUAGE",
        description="Language of results, such as `zh-CN`; `all` for any; "
        "`auto` takes it from the script of the query.",
    )
    log_queries: bool = Field(
        default=False,
        alias="WEB_SEARCH_LOG_QUERIES",
        description="Write the words of each search to the log. Off for privacy.",
    )
    ui_language: Literal["zh-CN", "en-US", "auto"] = Field(
        default="zh-CN",
        alias="UI_LANGUAGE",
        description="Language of the interface and of the doctor: "
        "`zh-CN`, `en-US`, or `auto` for that of the browser or terminal.",
    )

    fallback: Annotated[Names | None, InFile("fallback", _chain)] = Field(
        default=None,
        alias="WEB_SEARCH_FALLBACK",
        description="Engines asked one after the other where the one before fails, "
        "separated by commas. Beside those of `WEB_SEARCH_BACKEND` and of the two "
        "files, only engines named here ever receive a query.",
    )
    scrapes_per_minute: int = Field(
        default=20,
        ge=1,
        le=600,
        alias="WEB_SEARCH_SCRAPES_PER_MINUTE",
        description="Searches a minute through each engine that is asked without "
        "a key, 1 to 600. More wait for their turn, or are refused.",
    )
    keyed_per_minute: int = Field(
        default=60,
        ge=1,
        le=6_000,
        alias="WEB_SEARCH_KEYED_PER_MINUTE",
        description="Searches a minute with each key of an engine, 1 to 6000. "
        "More wait for their turn, or are refused.",
    )
    fetch_timeout_ms: int | None = Field(
        default=None,
        ge=100,
        le=60_000,
        alias="WEB_FETCH_TIMEOUT_MS",
        description="Time limit in milliseconds for engines whose web page is read "
        "(`ddg_html`, `baidu_html`, `google`), 100 to 60000. "
        "Unset means `WEB_SEARCH_TIMEOUT_MS`.",
    )
    fetch_proxy: Proxy | None = Field(
        default=None,
        alias="WEB_FETCH_PROXY",
        description="HTTP proxy for engines whose web page is read, such as "
        "`http://127.0.0.1:7890`; `user:password@` before the host where it wants "
        "them. Unset means the proxy of the environment (`HTTPS_PROXY`, `HTTP_PROXY`, "
        "`ALL_PROXY`, without the hosts in `NO_PROXY`), or else a direct connection.",
    )
    fetch_user_agent: UserAgent = Field(
        default=USER_AGENT,
        alias="WEB_FETCH_USER_AGENT",
        description="Name under which web pages are read, up to 200 ASCII characters. "
        "SearXNG, Brave and Bocha always get the default, and the browser its own.",
    )

    fetch_enabled: bool = Field(
        default=True,
        alias="WEB_FETCH_ENABLED",
        description="Whether pages are read at all. "
        "`false`: no page is ever requested.",
    )
    fetch_allowed_hosts: Hosts = Field(
        default=AllowedHosts(),
        alias="WEB_FETCH_ALLOWED_HOSTS",
        description="Hosts of a private network whose pages may be read, separated by "
        "commas: `wiki.corp, 10.1.2.3:8080, 10.9.0.0/16`. "
        "A host without a port means 80 and 443. "
        "All other private and local addresses are refused.",
    )

    fetch_browser: bool = Field(
        default=False,
        alias="WEB_FETCH_BROWSER",
        description="Whether a page that is empty without scripts is rendered by a "
        "headless Chrome. It needs `make browser` and an installed Chrome, Chromium "
        "or Edge.",
    )
    chrome_path: str | None = Field(
        default=None,
        alias="CHROME_PATH",
        description="Program of the browser for `google` and `WEB_FETCH_BROWSER`. "
        "Unset means the first Chrome, Chromium or Edge that is installed.",
    )
    browser_start_ms: int = Field(
        default=3_000,
        ge=500,
        le=60_000,
        alias="WEB_BROWSER_START_MS",
        description="Time limit of the browser's start in milliseconds, 500 to 60000, "
        "beside that of the search which needs it.",
    )

    read_seconds: float = Field(
        default=3.0,
        ge=0.5,
        le=60,
        alias="WEB_READ_SECONDS",
        description="Seconds after a search for which Chat mode waits for the pages "
        "of the results, 0.5 to 60. A page that comes later stays its snippet.",
    )
    read_chars: int = Field(
        default=12_000,
        ge=1_000,
        le=200_000,
        alias="WEB_READ_CHARS",
        description="Characters of pages and snippets that the model gets for one "
        "question, or in one answer of `web_fetch`, 1000 to 200000.",
    )

    cache_ttl_minutes: Annotated[float, InFile("cacheTtlMinutes")] = Field(
        default=0.0,
        ge=0,
        le=1_440,
        alias="WEB_SEARCH_CACHE_TTL_MINUTES",
        description="Minutes for which all conversations share what a search found, "
        "0 to 1440. The same query of another user is then answered from memory; "
        "nothing about the user is stored with it. `0`: not at all.",
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
