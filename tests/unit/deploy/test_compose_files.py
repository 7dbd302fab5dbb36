"""The contents of the compose files, read without Docker."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from support.deployment import APP, ROOT, SEARXNG, compose_file, last_stage

FOLDERS = [SEARXNG, APP]
SETTINGS = yaml.safe_load((SEARXNG / "settings.yml").read_text(encoding="utf-8"))


def every_service() -> list[dict[str, Any]]:
    return [compose_file(SEARXNG)["services"]["searxng"], app()]


def app() -> dict[str, Any]:
    return dict(compose_file(APP)["services"]["app"])


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_no_secrets(folder: Path) -> None:
    """No file of the deployment holds a secret; the environment may."""
    texts = [
        file.read_text(encoding="utf-8") for file in folder.iterdir() if file.is_file()
    ]
    values = re.findall(
        r"^[#\s]*\w*(?:SECRET|KEY|PASSWORD)\w*[=:][ \t]*(.*)$",
        "\n".join(texts),
        re.MULTILINE,
    )

    assert set(values) <= {"", "${SEARXNG_SECRET:-}"}


def test_pinned() -> None:
    """SearXNG's image is one version, whatever its registry holds later."""
    image = compose_file(SEARXNG)["services"]["searxng"]["image"]

    assert re.fullmatch(
        r"\$\{SEARXNG_IMAGE:-docker\.io/searxng/searxng"
        r":\d{4}\.\d+\.\d+-[0-9a-f]{9}@sha256:[0-9a-f]{64}\}",
        image,
    )


def test_settings_for_programs() -> None:
    """JSON is on, the page too, the limiter off, and no search takes above 4 s."""
    assert SETTINGS["search"]["formats"] == ["html", "json"]
    assert SETTINGS["server"]["limiter"] is False
    assert SETTINGS["outgoing"]["max_request_timeout"] < 5
    assert "public_instance" not in SETTINGS["server"]


def test_engines_for_china() -> None:
    """Engines that are reachable in China are on, and kept of upstream's list."""
    enabled = {e["name"] for e in SETTINGS["engines"] if not e["disabled"]}

    assert enabled == {"bing", "baidu", "sogou", "360search"}
    assert enabled <= set(SETTINGS["use_default_settings"]["engines"]["keep_only"])


def test_the_file_that_is_read() -> None:
    """The settings beside the compose file are mounted where SearXNG looks for them."""
    volumes = compose_file(SEARXNG)["services"]["searxng"]["volumes"]

    assert "./settings.yml:/etc/searxng/settings.yml:ro,z" in volumes
    assert (SEARXNG / "settings.yml").stat().st_mode & 0o004  # its user is no owner


def test_health_checks() -> None:
    """Each container is asked whether it is well."""
    assert compose_file(SEARXNG)["services"]["searxng"]["healthcheck"]["test"]
    assert [rest for keyword, rest in last_stage() if keyword == "HEALTHCHECK"]


@pytest.mark.parametrize("service", every_service(), ids=["searxng", "app"])
def test_kept_small(service: dict[str, Any]) -> None:
    """A service comes back by itself, has no privileges, and a log that ends."""
    assert service["restart"] == "unless-stopped"
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert {"max-size", "max-file"} <= service["logging"]["options"].keys()


def test_our_settings_stay_ours() -> None:
    """No setting of the app reaches SearXNG, which means other things by them."""
    service = compose_file(SEARXNG)["services"]["searxng"]
    names = {name for name in service["environment"] if name.startswith("SEARXNG_")}
    beside = compose_file(APP)["services"]["searxng"]

    assert names == {"SEARXNG_SECRET"}
    assert "env_file" not in service
    assert beside.keys() == {"extends", "ports"}


def test_app_finds_searxng() -> None:
    """The app asks the other container by its name, and starts without it too."""
    depends = app()["depends_on"]["searxng"]

    assert app()["environment"]["SEARXNG_BASE_URL"] == "http://searxng:8080"
    assert depends == {"condition": "service_healthy", "required": False}
    assert app()["env_file"] == [{"path": "../../.env", "required": False}]


def test_public_only_where_it_is_safe() -> None:
    """The compose file allows what the image alone does not, and says why."""
    text = (APP / "docker-compose.yml").read_text(encoding="utf-8")
    line = text.index('ALLOW_PUBLIC_WITHOUT_LOGIN: "true"')
    image = [rest for keyword, rest in last_stage() if keyword == "ENV"]

    assert "that is safe" in text[line - 400 : line]
    assert not [rest for rest in image if "ALLOW_PUBLIC" in rest]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_examples_name_the_variables(folder: Path) -> None:
    """`.env.example` names what its compose file reads, and nothing else."""
    example = (folder / ".env.example").read_text(encoding="utf-8")
    named = set(re.findall(r"^#([A-Z_]+)=", example, re.MULTILINE))
    file = compose_file(folder)
    wanted = set(re.findall(r"(?<!\$)\$\{([A-Z_]+)", str(file)))
    if folder == APP:
        # Its SearXNG is in no way of a port, and the rest comes from the extended file.
        wanted |= set(app()["build"]["args"]) | {"SEARXNG_IMAGE", "SEARXNG_SECRET"}

    assert named == wanted


def test_env_is_not_shared() -> None:
    """A .env beside a compose file is never committed."""
    ignored = (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()

    assert ".env" in ignored
