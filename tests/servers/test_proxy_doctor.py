"""The doctor tells a proxy's fault from an engine's, and keeps its credentials."""

import json

import pytest
from support.doctor import told
from support.loopback import Answer, Loopback, Raw, served
from support.proxy import proxying

from websearch.config.settings import Settings
from websearch.doctor.diagnose import adiagnose
from websearch.doctor.diagnosis import Diagnosis


async def diagnosed(proxy: str, **settings: str) -> Diagnosis:
    known = {"WEB_FETCH_PROXY": proxy, "WEB_FETCH_TIMEOUT_MS": "2000", **settings}
    return await adiagnose(Settings.model_validate(known), backend="ddg_html")


async def test_healthy(routes: dict[str, int]) -> None:
    """The doctor asks through the proxy too."""
    with proxying(routes) as proxy:
        diagnosis = await diagnosed(proxy.url)

    assert diagnosis.main.cause == "engine_works"
    assert len(proxy.asked) == 1


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        (Answer(status=407), "proxy_auth"),
        (Answer(status=403), "proxy_refuses"),
        (Answer(status=502), "proxy_fails"),
        (lambda: iter([b"\x05\xff"]), "proxy_not_http"),
        (lambda: iter([30.0]), "proxy_unreachable"),
    ],
    ids=["407", "403", "502", "socks", "silent"],
)
async def test_faults(answer: Answer | Raw, problem: str) -> None:
    """Each fault has its own advice, which names the proxy without credentials."""
    with served(lambda _: answer) as proxy:
        address = proxy.url.replace("://", "://canary-user:canary-pass@")
        diagnosis = await diagnosed(address)

    assert diagnosis.main.cause == problem
    assert told(diagnosis)[0] == "reachable failed"
    for language in ("zh-CN", "en-US"):
        printed = json.dumps(diagnosis.as_dict(language), ensure_ascii=False)
        assert proxy.url in diagnosis.main.advice(language).cause
        assert "WEB_FETCH_PROXY" in printed
        assert "canary" not in printed
        assert "…" not in diagnosis.main.advice(language).cause


async def test_engine_behind_it(routes: dict[str, int], page_engine: Loopback) -> None:
    """An engine that fails behind a good proxy is told as the engine's failure."""
    page_engine.script = lambda _: Answer(status=500)
    with proxying(routes) as proxy:
        diagnosis = await diagnosed(proxy.url)

    assert diagnosis.main.cause == "engine_fails"
