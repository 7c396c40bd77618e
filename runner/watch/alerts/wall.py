"""Limits the targets of webhooks: users name addresses, and must not reach the server's own network through it.

The checked address is also the connected one: a name that changes its address in between gains nothing.
"""

from __future__ import annotations

import socket
import ssl
from http.client import HTTPConnection
from ipaddress import IPv4Address, IPv6Address, ip_address
from urllib.parse import SplitResult, urlsplit

from designer.refusal_codes import RefusalCode
from designer.refusals import Refusal

PORTS = {"http": 80, "https": 443}


class BadAddress(Refusal):
    """A webhook may not use this address."""

    code = RefusalCode.ALERTS_BAD_ADDRESS
    status = 422


def split_url(url: str) -> SplitResult:
    """The parts of an address for messages. Raises BadAddress."""
    try:
        parts = urlsplit(url)
        usable = parts.scheme in PORTS and parts.hostname and (parts.port is None or parts.port > 0)
    except ValueError:
        usable = False
    if not usable or not url.isascii() or any(letter.isspace() for letter in url):
        raise BadAddress("This is not the address of a webhook.", "Write it like https://hooks.example.com/alerts.")
    if parts.username is not None:
        raise BadAddress("The address contains a user name.", "Webhooks are signed instead. Leave it out.")
    return parts


def resolve(url: str, *, is_internal: bool) -> tuple[str, int]:
    """The IP address and port of a webhook. Raises BadAddress if one of its name's addresses is not allowed."""
    parts = split_url(url)
    assert parts.hostname is not None
    port = parts.port or PORTS[parts.scheme]
    try:
        infos = socket.getaddrinfo(parts.hostname, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise BadAddress(
            f"The host `{parts.hostname[:200]}` has no address.", "Check the spelling, or the server's DNS."
        ) from error
    addresses = [str(address[0]) for *_, address in infos]
    for address in addresses:
        _refuse(_read_address(address), is_internal)
    return addresses[0], port


def open_connection(url: str, *, is_internal: bool, seconds: float) -> HTTPConnection:
    """An open connection to a webhook. Raises BadAddress and OSError."""
    parts, target = split_url(url), resolve(url, is_internal=is_internal)
    connection = HTTPConnection(str(parts.hostname), target[1], timeout=seconds)
    connection.default_port = PORTS[parts.scheme]  # otherwise the port is in the Host header
    connection.sock = socket.create_connection(target, seconds)
    if parts.scheme == "https":
        connection.sock = ssl.create_default_context().wrap_socket(connection.sock, server_hostname=parts.hostname)
    return connection


def _read_address(address: str) -> IPv4Address | IPv6Address:
    """An IPv4 address may be written as IPv6."""
    ip = ip_address(address.partition("%")[0])
    return getattr(ip, "ipv4_mapped", None) or getattr(ip, "sixtofour", None) or ip


def _refuse(address: IPv4Address | IPv6Address, is_internal: bool) -> None:
    """Link-local addresses hold the secrets of cloud machines: no webhook needs them."""
    if address.is_link_local or address.is_multicast or address.is_unspecified:
        raise BadAddress(f"No webhook goes to {address}.", "Use an address of a service that receives webhooks.")
    if not is_internal and not address.is_global:
        raise BadAddress(
            f"{address} is an address of an internal network.",
            "Confirm that the channel may use one, or choose a public address.",
        )
