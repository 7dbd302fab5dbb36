"""Only public addresses and those that the operator names may be read."""

import ipaddress

import pytest

from websearch.config import AllowedHosts
from websearch.errors import SearchError
from websearch.fetch.address_policy import AddressPolicy, is_public

NOT_PUBLIC = [
    "0.0.0.0",
    "10.1.2.3",
    "100.64.0.1",
    "100.100.100.200",
    "127.0.0.1",
    "168.63.129.16",
    "169.254.169.254",
    "172.16.0.1",
    "192.0.0.192",
    "192.0.2.1",
    "192.31.196.1",
    "192.52.193.1",
    "192.168.1.1",
    "192.175.48.1",
    "198.18.0.1",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "::ffff:127.0.0.1",
    "::ffff:0:127.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::808:808",
    "2001:0:7f00:1::",
    "2001:db8::1",
    "2002:7f00:1::",
    "2620:4f:8000::1",
    "3ffe::1",
    "3fff::1",
    "4000::1",
    "5f00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fec0::1",
    "ff02::1",
]
PUBLIC = [
    "8.8.8.8",
    "223.5.5.5",
    "::ffff:8.8.8.8",
    "64:ff9b::808:808",
    "2606:4700::1111",
    "2400:3200::1",
]
# Spellings of addresses of this machine and its networks, as browsers read them.
DISGUISED = [
    "http://127.0.0.1/",
    "http://0177.0.0.1/",
    "http://2130706433/",
    "http://127.0.0.1./",
    "http://[::1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://localhost/",
    "http://localhost./",
    "http://a.localhost/",
    "http://①②⑦.⓪.⓪.①/",
    "http://0.0.0.0/",
    "http://169.254.169.254/",
    "http://[fd00:ec2::254]/",
    "http://metadata.google.internal/",
    "http://printer.local/",
    "http://router.lan/",
    "http://intranet/",
    "http:\\\\127.0.0.1/",
]
NO_ADDRESS = [
    "",
    "example.org",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "http://",
    "http://user:password@example.org/",
    "https://[::1/",
    "http://example.org:99999/",
    "http://" + "a" * 300 + ".org/",
    "http://example.org/" + "a" * 100_000,
    "http://exa\x00mple.org/",
    "http://\u202eexample.org\u2066/\ud800",
    "http://:80/",
    "http://.../",
    "//example.org/",
]


def allowing(text: str) -> AddressPolicy:
    return AddressPolicy(AllowedHosts.parse(text))


def refusal(url: str, policy: AddressPolicy | None = None) -> str | None:
    with pytest.raises(SearchError) as caught:
        (policy or AddressPolicy()).target(url)
    return caught.value.detail_code


@pytest.mark.parametrize("address", NOT_PUBLIC)
def test_not_public(address: str) -> None:
    """Private, local, metadata and otherwise special addresses are not public."""
    assert not is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize("address", PUBLIC)
def test_public(address: str) -> None:
    """Ordinary hosts are public, also behind NAT64."""
    assert is_public(ipaddress.ip_address(address))


@pytest.mark.spec("O4")
@pytest.mark.parametrize("url", DISGUISED)
def test_disguised(url: str) -> None:
    """No spelling of a private address gets past the parser."""
    assert refusal(url) == "private_address"


@pytest.mark.parametrize("url", NO_ADDRESS, ids=range(len(NO_ADDRESS)))
def test_no_address(url: str) -> None:
    """An invalid web address is refused before any look-up."""
    assert refusal(url) in {"bad_url", "url_too_long"}


@pytest.mark.parametrize("port", [0, 22, 8080, 65535])
def test_ports(port: int) -> None:
    """Only the ports of the web are read."""
    assert refusal(f"http://example.org:{port}/") == "port"


def test_target() -> None:
    """The address goes on as a browser writes it, without its fragment."""
    target = AddressPolicy().target(" HTTP://EXAMPLE.org/a b?q=中#:~:text=x ")

    assert target.url == "http://example.org/a%20b?q=%E4%B8%AD"
    assert (target.host, target.port) == ("example.org", 80)


def test_control_characters() -> None:
    """Line breaks are dropped and other controls are escaped, as browsers do."""
    target = AddressPolicy().target("http://example.org/a\r\nHost: x\tb\x01c")

    assert target.url == "http://example.org/aHost:%20xb%01c"


def test_allowed_hosts() -> None:
    """A named host is read on its port, or on the web's where none is named."""
    policy = allowing("wiki.corp, 10.1.2.3:8080, [::1]:9000, 10.9.0.0/16,")

    assert policy.target("http://wiki.corp/").host == "wiki.corp"
    assert policy.target("https://wiki.corp/").port == 443
    assert policy.target("http://10.1.2.3:8080/").port == 8080
    assert policy.target("http://[::1]:9000/").host == "::1"
    assert policy.target("http://10.9.8.7/").host == "10.9.8.7"
    assert refusal("http://wiki.corp:8080/", policy) == "port"
    assert refusal("http://10.1.2.3/", policy) == "private_address"


@pytest.mark.spec("D8")
@pytest.mark.parametrize(
    ("url", "is_private"),
    [
        *((url, True) for url in DISGUISED),
        *(
            (url, True)
            for url in ("http://wiki/", "http://10.1.2.3:9/", "http://a.lan/")
        ),
        *(
            (url, False)
            for url in ("http://a.corp:9/", "https://example.org/", "http://8.8.8.8/")
        ),
        *(
            (url, False)
            for url in ("http://intra/", "http://10.9.8.7/", "http://[::1]:9000/")
        ),
    ],
)
def test_private_results(url: str, is_private: bool) -> None:
    """An address is private as it is written, unless its host is allowed."""
    policy = allowing("intra, [::1]:9000, 10.9.0.0/16")

    assert policy.is_private(url) == is_private


def test_allowed_name_never_leads_to_credentials() -> None:
    """A named host that resolves to a metadata server is refused."""
    policy = allowing("wiki.corp")

    policy.check("wiki.corp", 80, "10.0.0.1")
    with pytest.raises(SearchError):
        policy.check("wiki.corp", 80, "169.254.169.254")


def test_redirect_inward() -> None:
    """A public page does not lead to a host that only the operator may name."""
    policy = allowing("wiki.corp, blog.corp")
    public, wiki, blog = (
        policy.target(f"http://{host}/")
        for host in ("example.org", "wiki.corp", "blog.corp")
    )

    policy.check_redirect(wiki, blog)
    policy.check_redirect(wiki, public)
    with pytest.raises(SearchError):
        policy.check_redirect(public, wiki)


@pytest.mark.parametrize(
    "text",
    ["*.corp", "http://wiki.corp", "a@b", "wiki.corp/path", "10.0.0.1/8", "a:99999"],
)
def test_bad_list(text: str) -> None:
    """A list that cannot be read is rejected, not read in part."""
    with pytest.raises(ValueError):  # noqa: PT011  pydantic shows the setting's name
        AllowedHosts.parse(text)
