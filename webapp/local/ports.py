"""Free ports, remembered so that a restarted part keeps its address."""

import json
import random
import socket
from contextlib import suppress
from pathlib import Path

from .problem import Problem

# Below Linux's range for the local ports of outgoing connections:
# a port remembered here is still free when its part returns.
RANGE = range(20_000, 32_000)


def is_free(port: int) -> bool:
    """Whether a server can listen on `port` of 127.0.0.1 now."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def is_open(port: int) -> bool:
    """Whether something answers on `port` of 127.0.0.1."""
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0


def choose_port(home: Path, name: str, prefer: int | None = None) -> int:
    """The last port of `name` if it is free, else `prefer` or the next free one after it, else any."""
    ports = _read(home)
    candidates = [ports[name]] if name in ports else []
    candidates += range(prefer, prefer + 100) if prefer else random.sample(RANGE, 200)
    taken_ports = {port for other, port in ports.items() if other != name}
    port = next((port for port in candidates if port not in taken_ports and is_free(port)), None)
    if port is None:
        raise Problem(f"No port of 127.0.0.1 is free for {name}: end programs that listen there, and start again.")
    if ports.get(name) != port:
        _write(home, ports | {name: port})
    return port


def open_listener(home: Path, name: str, prefer: int) -> socket.socket:
    """A socket that listens on the port from `choose_port`: ours from now on, whatever else starts."""
    while True:
        with suppress(OSError):  # taken by another process at this moment
            return listen(choose_port(home, name, prefer))


def listen(port: int) -> socket.socket:
    """A socket that listens on `port` of 127.0.0.1. OSError if it is taken."""
    listening = socket.create_server(("127.0.0.1", port))
    # asyncio does it only for sockets that it knows as TCP; accepted sockets inherit it on Linux
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


def _read(home: Path) -> dict[str, int]:
    path = home / "ports.json"
    return json.loads(path.read_text()) if path.exists() else {}


def _write(home: Path, ports: dict[str, int]) -> None:
    home.mkdir(parents=True, exist_ok=True)
    fresh = home / "ports.json.new"
    fresh.write_text(json.dumps(ports, indent=2) + "\n")
    fresh.replace(home / "ports.json")
