"""Streamwright's own processes: web, worker, beat, agent, feed."""

import socket
import sys
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from pathlib import Path

from .places import ROOT
from .process import ChildProcess


class Service:
    """One of our processes. With `once` it ends by itself and restarts only if it failed."""

    def __init__(
        self,
        name: str,
        command: list[str],
        home: Path,
        env: Mapping[str, str],
        *,
        once: bool = False,
        fds: Sequence[int] = (),
    ) -> None:
        self.name = name
        self.once = once
        self.child: ChildProcess | None = ChildProcess(name, command, home / "logs" / f"{name}.log", env, ROOT, fds=fds)

    def start(self) -> None:
        """Starts it."""
        assert self.child
        self.child.start()

    def is_ready(self) -> bool:
        """Whether it runs. Only web checks more."""
        return self.child is not None and self.child.is_alive()

    def stop(self) -> None:
        """Ends it. The agent has 10 s to end its runs."""
        if self.child:
            self.child.stop(seconds=11)


class Web(Service):
    """The web server behind our own socket: during a restart, new requests wait."""

    def __init__(self, listener: socket.socket, home: Path, env: Mapping[str, str]) -> None:
        options = ["--fd", str(listener.fileno()), "--lifespan", "off", "--no-server-header"]
        # Open websockets would delay it for as long as a page is open.
        options += ["--timeout-graceful-shutdown", "2", "--no-access-log"]
        options += ["--http", "webapp.http_protocol:BoundedProtocol", "--no-proxy-headers"]
        command = make_python_command("-m", "uvicorn", "webapp.asgi:application", *options)
        super().__init__("web", command, home, env, fds=[listener.fileno()])
        self.listener = listener
        self.health = f"http://127.0.0.1:{listener.getsockname()[1]}/health"

    def is_ready(self) -> bool:
        """Whether it answers."""
        try:
            urllib.request.urlopen(self.health, timeout=1).close()
        except urllib.error.HTTPError:  # ALLOWED_HOSTS may not have this name
            return True
        except (urllib.error.URLError, TimeoutError):
            return False
        return True


def list_services(home: Path, env: Mapping[str, str], listener: socket.socket) -> list[Service]:
    """All of them, in the order of their start."""
    celery = make_python_command("-m", "celery", "-A", "webapp")
    beat = [*celery, "beat", "--schedule", str(home / "celerybeat-schedule"), "--pidfile=", "-l", "INFO"]
    worker = [*celery, "worker", "-c", "2", "--without-gossip", "--without-mingle", "-l", "INFO"]
    return [
        Web(listener, home, env),
        Service("worker", worker, home, env),
        Service("beat", beat, home, env),
        Service("agent", make_manage_command("agent"), home, env),
    ]


def list_sample_services(home: Path, env: Mapping[str, str]) -> list[Service]:
    """The feed, and the deploy of the sample topology unless it was deployed before (needs a user and topics).

    The feed gets no rate: it continues at the users' last one.
    """
    return [
        Service("feed", make_manage_command("feed", "--loop"), home, env),
        Service("deploy-sample", make_manage_command("deploy-sample"), home, env, once=True),
    ]


def make_python_command(*arguments: str) -> list[str]:
    """A call of the Python that runs us."""
    return [sys.executable, *arguments]


def make_manage_command(*arguments: str) -> list[str]:
    """A call of one of our commands."""
    return make_python_command("-m", "webapp", *arguments)
