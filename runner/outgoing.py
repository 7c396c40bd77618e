"""Requests to addresses that users name: webhooks, token endpoints, schema registries and OpenID Connect providers.

Each one goes through `call`, so that nobody reaches the server's own network or a cloud's metadata through it:

1. Resolve the name, and refuse the request if one of its addresses is not allowed.
2. Connect to an address of step 1. A name that changes its address in between gains nothing.
3. Read the answer within one time limit for everything, and up to one size. A server that drips gains nothing.
4. Return a redirect as an answer. A caller that follows it calls again, and begins at step 1.
"""

from __future__ import annotations

import socket
import ssl
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPMessage, IncompleteRead
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from threading import Timer
from typing import Final
from urllib.parse import SplitResult, urlsplit

from designer.refusal_codes import RefusalCode
from designer.refusals import Refusal

Address = IPv4Address | IPv6Address
PORTS: Final = {"http": 80, "https": 443}
MAX_BYTES: Final = 1_048_576
METADATA: Final = frozenset(
    map(
        ip_address,
        (
            "100.100.100.200",  # Alibaba
            "168.63.129.16",  # Azure
            "192.0.0.192",  # Oracle
            "fd00:ec2::254",  # AWS
            "fd20:ce::254",  # Google
            "fd00:c1::a9fe:a9fe",  # Oracle
        ),
    )
)
"""Addresses outside the link-local networks where a cloud gives its machines their secrets."""
LAST_32_BITS: Final = tuple(
    map(
        IPv6Network,
        (
            "::/96",  # IPv4-compatible, RFC 4291
            "::ffff:0:0:0/96",  # IPv4-translated, RFC 2765
            "64:ff9b::/96",  # NAT64, RFC 6052
        ),
    )
)
"""Networks whose addresses end with an IPv4 address."""
NAT64_OF_SITE: Final = IPv6Network("64:ff9b:1::/48")
"""RFC 8215."""


class OutgoingCode(RefusalCode):
    """Codes of requests that the server does not make."""

    ADDRESS_REFUSED = ("address.refused", "The server makes no request to this address.")


class AddressRefused(Refusal):
    """The server makes no request to this address."""

    code = OutgoingCode.ADDRESS_REFUSED
    status = 422


class NoAddress(AddressRefused):
    """The name of the host has no address at the moment."""


class NoAnswer(Exception):
    """No usable answer arrived in time. The text is a sentence for users."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer of any status, also a redirect or an error."""

    status: int
    headers: HTTPMessage
    body: bytes


def split_url(url: str, *, example: str = "https://hooks.example.com/alerts") -> SplitResult:
    """The parts of an address of HTTP. Raises AddressRefused, which shows a right address as an `example`."""
    try:
        parts = urlsplit(url)
        usable = parts.scheme in PORTS and parts.hostname and (parts.port is None or parts.port > 0)
    except ValueError:
        usable = False
    if not usable or not all("!" <= letter <= "~" for letter in url):
        raise AddressRefused("This is not an address of HTTP.", f"Write it like {example}.")
    if parts.username is not None:
        raise AddressRefused("The address contains a user name.", "Leave out the user name and the password.")
    return parts


def resolve(url: str, *, is_internal: bool) -> list[tuple[str, int]]:
    """The IP addresses and the port of a URL, in the order to try them. Raises AddressRefused.

    `is_internal` also allows private networks and this machine. Addresses of cloud metadata are never allowed.
    """
    parts = split_url(url)
    assert parts.hostname is not None
    port = parts.port or PORTS[parts.scheme]
    try:
        infos = socket.getaddrinfo(parts.hostname, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise NoAddress(
            f"The host `{parts.hostname[:200]}` has no address.", "Check the spelling, or the server's DNS."
        ) from error
    addresses = list(dict.fromkeys(str(address[0]) for *_, address in infos))
    for address in addresses:
        _refuse(address, is_internal)
    return [(address, port) for address in addresses]


def call(
    url: str,
    *,
    method: str = "GET",
    body: bytes | None = None,
    headers: Mapping[str, str] | None = None,
    is_internal: bool,
    seconds: float,
    max_bytes: int = MAX_BYTES,
    tls: ssl.SSLContext | None = None,
) -> Answer:
    """Make one request, and return the answer. It follows no redirect.

    `seconds` limits the connection, the request and the answer together; only the server's DNS comes before it.
    Raises AddressRefused before it connects, and NoAnswer.

    Example: `call("https://schemas.example.com/subjects", is_internal=True, seconds=5.0).body`.
    """
    parts, targets = split_url(url), resolve(url, is_internal=is_internal)
    host, end = str(parts.hostname), time.monotonic() + seconds
    connection = HTTPConnection(host, targets[0][1])
    connection.default_port = PORTS[parts.scheme]  # otherwise the port is in the Host header
    alarm: Timer | None = None
    try:
        connection.sock = _connect(targets, end)
        if parts.scheme == "https":
            context = tls or ssl.create_default_context()
            connection.sock = context.wrap_socket(connection.sock, server_hostname=host, do_handshake_on_connect=False)
        connection.sock.settimeout(seconds)
        alarm = Timer(max(0.0, end - time.monotonic()), _hang_up, (connection.sock,))
        alarm.daemon = True
        alarm.start()
        if isinstance(connection.sock, ssl.SSLSocket):
            connection.sock.do_handshake()
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        connection.request(method, path, body, dict(headers or {}))
        response = connection.getresponse()
        content = response.read(max_bytes + 1)
        if len(content) > max_bytes:
            raise NoAnswer(f"The answer of {host} is longer than {max_bytes:,} bytes.")
        if time.monotonic() >= end:  # hung up in the middle of an answer without a length
            raise NoAnswer(_say_late(host, seconds))
        if response.length:
            raise NoAnswer(f"{host} closed the connection before the end of its answer.")
        return Answer(response.status, response.headers, content)
    except (OSError, HTTPException) as error:
        if time.monotonic() >= end:
            raise NoAnswer(_say_late(host, seconds)) from error
        raise NoAnswer(describe_error(error, host)) from error
    finally:
        if alarm is not None:
            alarm.cancel()
        connection.close()


def describe_error(error: Exception, host: str) -> str:
    """A sentence for an error of a connection, without names of Python's classes or of files.

    `host` begins the sentence: a name such as `hooks.example.com`, or a text such as `The broker 10.0.0.1:9092`.
    """
    owner = f"the {host[4:]}" if host.startswith("The ") else host
    match error:
        case ConnectionRefusedError():
            return f"{host} refuses connections on this port."
        case TimeoutError():
            return f"{host} did not answer in time."
        case ssl.SSLCertVerificationError():
            return f"The certificate of {owner} is not trusted: {error.verify_message.rstrip('.')}."
        case ssl.SSLError():
            return f"{host} does not speak TLS as expected. Check whether the port is one of HTTPS."
        case ConnectionError():
            return f"{host} closed the connection before it answered."
        case IncompleteRead():
            return f"{host} closed the connection before the end of its answer."
        case HTTPException():
            return f"{host} did not answer as a web server."
        case socket.gaierror():
            return f"{host} has no address in DNS."
        case OSError(strerror=str(reason)) if error.filename is None:
            return f"{host} cannot be reached: {reason[:1].lower()}{reason[1:]}."
    return f"{host} cannot be reached."


def _say_late(host: str, seconds: float) -> str:
    return f"{host} did not answer within {seconds:g} s."


def _connect(targets: list[tuple[str, int]], end: float) -> socket.socket:
    """A connection to the first target that accepts one."""
    for number, target in enumerate(targets):
        try:
            return socket.create_connection(target, max(0.1, end - time.monotonic()))
        except OSError:
            if number == len(targets) - 1:
                raise
    raise AssertionError("a name with no address was refused before")


def _hang_up(connection: socket.socket) -> None:
    with suppress(OSError):  # it may have ended meanwhile
        # not the method of TLS, which would leave the thread that waits in it without TLS
        socket.socket.shutdown(connection, socket.SHUT_RDWR)


def _refuse(text: str, is_internal: bool) -> None:
    address: Address = ip_address(text.partition("%")[0])
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped  # another way to write it
    for each in (address, *find_embedded(address)):
        if each.is_link_local or each.is_multicast or each.is_unspecified or each in METADATA:
            raise AddressRefused(
                f"Streamwright makes no request to {each}.", "Use the address of a service that expects requests."
            )
        if not is_internal and (not each.is_global or getattr(each, "is_site_local", False)):
            raise AddressRefused(
                f"{each} is an address of an internal network.",
                "Confirm that an internal address may be used, or choose a public one.",
            )


def find_embedded(address: Address) -> Iterator[IPv4Address]:
    """The IPv4 addresses that a gateway or the system may connect to instead of an IPv6 address.

    >>> [str(each) for each in find_embedded(ip_address("64:ff9b::a9fe:a9fe"))]
    ['169.254.169.254']
    """
    if not isinstance(address, IPv6Address) or address.is_unspecified or address.is_loopback:
        return
    packed = address.packed
    if any(address in network for network in LAST_32_BITS):
        yield IPv4Address(packed[12:])
    if address in NAT64_OF_SITE:  # RFC 6052 puts it around the empty byte 8, and many gateways at the end
        yield from (IPv4Address(each) for each in (packed[6:8] + packed[9:11], packed[12:]) if any(each))
    if address.sixtofour is not None:
        yield address.sixtofour
    if address.teredo is not None:
        yield from address.teredo
    if packed[8:12] in (b"\0\0\x5e\xfe", b"\2\0\x5e\xfe"):  # ISATAP, RFC 5214
        yield IPv4Address(packed[12:])
