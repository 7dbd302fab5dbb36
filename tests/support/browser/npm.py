"""Packages of the npm registry that only tests need: fetched once, known by hash."""

import base64
import hashlib
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest
from support.browser.app_process import ROOT


def read_packaged(name: str, version: str, sha512: str, file: str) -> str:
    """The text of *file* in a package, which is kept beside the virtual environment."""
    packed = _packed(name, version)
    found = hashlib.sha512(packed.read_bytes()).digest()
    assert base64.b64encode(found).decode() == sha512, f"{name} is not what it was"
    with tarfile.open(packed) as archive:
        content = archive.extractfile(f"package/{file}")
        assert content is not None
        return content.read().decode("utf-8")


def _packed(name: str, version: str) -> Path:
    packed = ROOT / ".venv" / f"{name}-{version}.tgz"
    if not packed.is_file():
        npm = shutil.which("npm")
        if npm is None:
            pytest.skip(f"no npm on this machine to get {name} with: apt install npm")
        command = [npm, "pack", f"{name}@{version}", "--silent"]
        subprocess.run(
            [*command, "--pack-destination", packed.parent], check=True, timeout=120
        )
    return packed
