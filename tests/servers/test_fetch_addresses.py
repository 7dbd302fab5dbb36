"""Public lists of odd addresses: nothing of them leads to a private network."""

import ipaddress
import json
from typing import Final

import pytest
from support.paths import SHARED
from support.servers.connections import Recorder

from websearch.errors import SearchError
from websearch.fetch.address_policy import AddressPolicy, is_public
from websearch.fetch.download import Downloader
from websearch.fetch.guard import Guard

LIST = SHARED / "corpora" / "wpt-url" / "urltestdata.json"
PUBLIC: Final = "93.184.216.34"
# Names that stand for this machine and its networks, and tricks with what is not read.
TRICKS: Final = [
    "http://127.0.0.1.nip.io/",
    "http://localtest.me/",
    "http://customer1.app.localhost.my.company.127.0.0.1.nip.io/",
    "http://spoofed.burpcollaborator.net/",
    "http://1.1.1.1&@2.2.2.2#@3.3.3.3/",
    "http://127.1.1.1:80\\@127.2.2.2:80/",
    "http://127.1.1.1:80:\\@@127.2.2.2:80/",
    "http://example.org@169.254.169.254/",
    "http://169.254.169.254#@example.org/",
    "http://example.org\\@169.254.169.254/",
    "http://[::ffff:a9fe:a9fe]/",
    "http://[::ffff:169.254.169.254]/",
    "http://[fe80::1%25eth0]/",
    "http://[64:ff9b::127.0.0.1]/",
    "http://[64:ff9b::a9fe:a9fe]/",
    "http://[2002:7f00:1::]/",
    "http://0251.0376.0251.0376/",
    "http://0xa9.0xfe.0xa9.0xfe/",
    "http://169.16689662/",
    "http://169.254.43518/",
    "http://425.510.425.510/",
    "http://127.000.000.001/",
    "http://127%2e0%2e0%2e1/",
    "http://%31%32%37.0.0.1/",
    "http://１２７.0.0.1/",
    "http://ⓔⓧⓐⓜⓟⓛⓔ.ⓒⓞⓜ/",
    "http://⑯⑨。②⑤④。⑯⑨｡②⑤④/",
    "http://127.0.0.1%00.example.org/",
    "http://127.0.0.1\t.example.org/",
    "http://loc\nalhost/",
    "gopher://127.0.0.1:25/",
    "dict://127.0.0.1:11211/",
    "jar:http://127.0.0.1!/",
    "//127.0.0.1/",
    "http:127.0.0.1/",
    "http:///127.0.0.1/",
    "\\\\169.254.169.254\\latest",
    "http://instance-data/",
    "http://metadata.tencentyun.com/",
    "http://100.100.100.200/",
    "http://[fd00:ec2::254]/",
]


async def wanted(urls: list[str], *answers: list[str]) -> list[str]:
    """The addresses to which a reader of *urls* connects; names lead to *answers*."""
    recorder = Recorder()
    turn = 0

    def resolve(_host: str, _port: int) -> list[str]:
        nonlocal turn
        turn += 1
        return answers[turn % len(answers)]

    guard = Guard(AddressPolicy(), resolve=resolve, connections=recorder)
    downloader = Downloader(guard, seconds=60, user_agent="test")
    for url in urls:
        with pytest.raises(SearchError):
            await downloader.download(url)
    return [host for host, _ in recorder.wanted]


PRIVATE = [["10.0.0.1"], [PUBLIC, "192.168.1.1"], ["fd00::1", "2606:4700::1111"]]
CASES: Final = json.loads(LIST.read_text("utf-8")) if LIST.exists() else []
LISTS: Final = {
    "tricks": TRICKS,
    "web platform tests": [case["input"] for case in CASES if isinstance(case, dict)],
}


FLIPPING = [[PUBLIC], ["127.0.0.1"], ["::1", PUBLIC]]


@pytest.mark.spec("O4")
@pytest.mark.parametrize("name", LISTS)
async def test_names_that_lead_inward(name: str) -> None:
    """Only public addresses of a list are connected to: its own numbers if names lead
    inward, and those of names while the name server changes its answer."""
    if not LISTS[name]:
        pytest.skip("needs ../shared/corpora/wpt-url")

    found = await wanted(LISTS[name], *PRIVATE)
    flipped = await wanted(LISTS[name], *FLIPPING)

    assert PUBLIC not in found
    assert flipped
    for address in found + flipped:
        assert is_public(ipaddress.ip_address(address))
