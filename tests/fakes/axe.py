"""axe-core, the accessibility checker: from the npm registry, kept beside the venv."""

import base64
import hashlib
import shutil
import subprocess
import tarfile
from typing import Any

import pytest
from fakes.app_process import ROOT
from playwright.sync_api import Page

VERSION = "4.14.0"
SHA512 = (  # of the package, as the registry states it
    "9WTZxEjsZ7b13TH8JPmbV2z8CHbl80/2hm3XPEG4JgNdQLK81IBRXmSxHfMAOkSq"
    "QeRxT/0dwNDz2GOm3zzpcQ=="
)
PACKED = ROOT / ".venv" / f"axe-core-{VERSION}.tgz"
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}


def source() -> str:
    """The checker's script; fetched once, and known by its hash."""
    npm = shutil.which("npm")
    if not PACKED.is_file():
        if npm is None:
            pytest.skip("no npm on this machine to get axe-core with")
        command = [npm, "pack", f"axe-core@{VERSION}", "--silent"]
        subprocess.run(
            [*command, "--pack-destination", PACKED.parent], check=True, timeout=120
        )
    found = hashlib.sha512(PACKED.read_bytes()).digest()
    assert base64.b64encode(found).decode() == SHA512
    with tarfile.open(PACKED) as archive:
        script = archive.extractfile("package/axe.min.js")
        assert script is not None
        return script.read().decode()


def violations(page: Page) -> dict[str, list[str]]:
    """Rule by rule, where *page* breaks WCAG A or AA."""
    page.evaluate(source())
    found: dict[str, Any] = page.evaluate("rules => axe.run(document, rules)", RULES)
    return {
        rule["id"]: [str(node["html"])[:200] for node in rule["nodes"]]
        for rule in found["violations"]
    }
