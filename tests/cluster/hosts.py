"""Hosts on one machine: a network namespace each, with its own disk, on one bridge.

A host sees the machine's programs, its Java and its Python, but neither this checkout nor what other hosts write: where
these lie, it has empty folders in memory. Needs Linux, root, and `ip` (iproute2).
"""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psutil

ROOT = Path(__file__).resolve().parents[2]
TEMPORARY = Path(tempfile.gettempdir())
NEEDS = "Tests of clusters need Linux with network namespaces: run them as root, with `ip` (package iproute2)."


class NoHosts(Exception):
    """This machine cannot have its own hosts."""


@dataclass
class Host:
    """A machine of the cluster. `address` is its own on the bridge."""

    name: str
    address: str
    shows: Path
    """A folder of this machine that it sees, at `SHOWN`."""
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def start(self, command: list[str], log: Path, **environment: str) -> subprocess.Popen[bytes]:
        """Starts a program on it, which writes its log where the test can read it."""
        self.cut_off(off=False)
        script = "\n".join([*_own_disk(self.shows), f"exec {shlex.join(command)}"])
        with log.open("ab") as to:
            process = subprocess.Popen(
                ["ip", "netns", "exec", self.name, "unshare", "--mount", "sh", "-ec", script],
                env={"PATH": os.environ["PATH"]} | environment,
                stdin=subprocess.DEVNULL,
                stdout=to,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self.processes.append(process)
        return process

    def pids(self) -> list[int]:
        """All processes on it."""
        return [int(pid) for pid in _ip("netns", "pids", self.name).split()]

    def javas(self, role: str) -> list[psutil.Process]:
        """Its Java processes whose command line names a role."""
        found = (psutil.Process(pid) for pid in self.pids() if psutil.pid_exists(pid))
        return [each for each in found if each.name() == "java" and any(role in word for word in each.cmdline())]

    def cut_off(self, *, off: bool) -> None:
        """Takes its network away, or gives it back."""
        _ip("link", "set", _link(self.name), "down" if off else "up")

    def vanish(self) -> None:
        """Loses its power: no one at the other end of a connection is told. What starts next has a network again."""
        self.cut_off(off=True)
        self.die()

    def die(self) -> None:
        """Ends all that runs on it, at once."""
        for pid in self.pids():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        for process in self.processes:
            process.wait()
        self.processes.clear()


SHOWN = TEMPORARY / "shown"
KEPT = Path("/mnt")
"""Where a host keeps what it sees while its disk is being made."""


@dataclass(frozen=True)
class Network:
    """The bridge between hosts. This machine is on it, too, as the one at `address`."""

    address: str
    hosts: tuple[Host, ...]


@contextmanager
def network(shows: Mapping[str, Path]) -> Iterator[Network]:
    """Hosts on their own bridge, each with the folder that it sees; raises NoHosts if that cannot be had."""
    _refuse()
    tag = f"sw{os.getpid() % 100_000}"
    subnet = f"10.{os.getpid() % 200 + 20}.7"
    hosts = tuple(Host(f"{tag}-{name}", f"{subnet}.{number}", shows[name]) for number, name in enumerate(shows, 2))
    try:
        _ip("link", "add", tag, "type", "bridge")
        _ip("addr", "add", f"{subnet}.1/24", "dev", tag)
        _ip("link", "set", tag, "up")
        for host in hosts:
            _join(host, tag)
        yield Network(f"{subnet}.1", hosts)
    finally:
        for host in hosts:
            host.die()
            subprocess.run(["ip", "netns", "del", host.name], stderr=subprocess.DEVNULL, check=False)
        subprocess.run(["ip", "link", "del", tag], stderr=subprocess.DEVNULL, check=False)


def _join(host: Host, bridge: str) -> None:
    link = _link(host.name)
    _ip("netns", "add", host.name)
    _ip("link", "add", link, "type", "veth", "peer", "name", "eth0", "netns", host.name)
    _ip("link", "set", link, "master", bridge, "up")
    for words in (
        ("addr", "add", f"{host.address}/24", "dev", "eth0"),
        ("link", "set", "eth0", "up"),
        ("link", "set", "lo", "up"),
    ):
        _ip("-n", host.name, *words)


def _link(host: str) -> str:
    """The host's end of its cable at the bridge; Linux allows 15 characters."""
    return f"v{host[2:]}"[:15]


def _own_disk(shows: Path) -> Iterator[str]:
    """Commands that give a process its own disk where this checkout and temporary files lie."""
    yield "mount --make-rprivate /"
    yield f"mount --bind {shlex.quote(str(shows))} {KEPT}"
    for folder in _hidden():
        yield f"mount -t tmpfs none {shlex.quote(str(folder))}"
    yield f"mkdir {SHOWN}"
    yield f"mount --bind {KEPT} {SHOWN}"
    yield f"umount {KEPT}"
    yield f"cd {TEMPORARY}"


def _hidden() -> list[Path]:
    """The folders that hosts do not see; one that lies in another is hidden with it."""
    folders = (TEMPORARY, ROOT)
    return [each for each in folders if not any(other in each.parents for other in folders)]


def _refuse() -> None:
    if sys.platform != "linux" or os.geteuid() != 0 or shutil.which("ip") is None:
        raise NoHosts(NEEDS)
    python = Path(sys.base_prefix).resolve()
    if any(folder == python or folder in python.parents for folder in _hidden()):
        raise NoHosts(f"Hosts of tests would not see Python, which lies in {python}. {NEEDS}")


def _ip(*words: str) -> str:
    done = subprocess.run(["ip", *words], capture_output=True, text=True, check=False)
    if done.returncode:
        raise NoHosts(f"ip {' '.join(words)}: {done.stderr.strip()}. {NEEDS}")
    return done.stdout
