"""Where a webhook may lead."""

import pytest

from runner.watch.alerts.wall import BadAddress, resolve

INTERNAL = [
    "http://127.0.0.1:6379/",
    "http://localhost/",
    "https://10.1.2.3/hook",
    "http://172.16.0.9/",
    "http://192.168.1.1/",
    "http://100.64.0.1/",
    "http://[::1]:8000/",
    "http://[fd00::1]/",
    "http://[::ffff:10.0.0.1]/",
    "http://[2002:7f00:1::]/",
    "http://2130706433/",
    "http://0x7f.1/",
]
NEVER = [
    "http://169.254.169.254/latest/meta-data",
    "http://[fe80::1]/",
    "http://[::ffff:169.254.169.254]/",
    "http://0.0.0.0/",
    "http://224.0.0.1/",
]
NO_ADDRESS = [
    "",
    "hooks.example.com",
    "ftp://example.com/",
    "file:///etc/passwd",
    "http://",
    "http://user:secret@1.1.1.1/",
    "http://1.1.1.1:99999/",
    "http://1.1.1.1:0/",
    "http://1.1.1.1/\r\nHost: x",
    "http://[::1/",
    "http://no-such-host.invalid/",
]


def test_a_public_address_is_allowed() -> None:
    assert resolve("https://1.1.1.1/hook?a=b", is_internal=False) == ("1.1.1.1", 443)
    assert resolve("http://[2606:4700::1111]:8080", is_internal=False) == ("2606:4700::1111", 8080)


@pytest.mark.parametrize("url", INTERNAL)
def test_an_internal_address_needs_a_word(url: str) -> None:
    with pytest.raises(BadAddress, match="internal network"):
        resolve(url, is_internal=False)

    assert resolve(url, is_internal=True)


@pytest.mark.parametrize("url", NEVER)
def test_some_addresses_are_never_reached(url: str) -> None:
    with pytest.raises(BadAddress, match="No webhook goes to"):
        resolve(url, is_internal=True)


@pytest.mark.parametrize("url", NO_ADDRESS)
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(BadAddress):
        resolve(url, is_internal=True)
