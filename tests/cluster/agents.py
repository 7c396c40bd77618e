"""Hosts of the product: each with an agent and a home of its own, on one Postgres, one Redis and one HDFS."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings

from tests.cluster.conftest import Cluster
from tests.cluster.forwarding import forwarded
from tests.cluster.hosts import SHOWN, TEMPORARY, Host
from tests.cluster.standalone import await_there
from webapp.local.java import java

PARTS = ("DATABASE_URL", "REDIS_URL")


@dataclass(frozen=True)
class Agents:
    """The agents of the hosts that have the product. Their logs, and those of their runs, lie in `folder`."""

    cluster: Cluster
    folder: Path
    environment: dict[str, str]
    is_alive: Callable[[str], bool]

    def start(self, name: str) -> None:
        """Starts the agent of a host with the product's secret key, and waits for its first beat."""
        log = self.folder / f"{name}.log"
        agent = [str(SHOWN / ".venv" / "bin" / "python"), str(SHOWN / "manage.py"), "agent"]
        keys = "\n".join([settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS])
        self.host(name).start(
            ["sh", "-c", f"echo {shlex.quote(keys)} > $SECRET_KEY_FILE && exec {shlex.join(agent)}"],
            log,
            STREAMWRIGHT_HOST=name,
            **self.environment,
        )
        await_there(lambda: self.is_alive(name), log)

    def host(self, name: str) -> Host:
        return next(host for host in self.cluster.hosts if host.name.endswith(name))


@contextmanager
def agents(
    cluster: Cluster, folder: Path, addresses: Mapping[str, str], is_alive: Callable[[str], bool]
) -> Iterator[Agents]:
    """Agents on both hosts, with the addresses of Postgres and Redis. `is_alive` says whether the product knows one."""
    with ExitStack() as stack:
        reached = {name: _reached(stack, cluster, addresses[name]) for name in PARTS}
        own = {
            "DJANGO_SETTINGS_MODULE": "webapp.settings",
            "STREAMWRIGHT_HOME": str(TEMPORARY / "home"),
            "SECRET_KEY_FILE": str(TEMPORARY / "secret-key"),
            "STREAMWRIGHT_CHECKPOINTS": checkpoints(cluster),
            "STREAMWRIGHT_JARS": str(SHOWN / ".run" / "jars" / "spark"),
            "STREAMWRIGHT_STANDBY": "0",
            "KAFKA_BOOTSTRAP_SERVERS": cluster.kafka,
            "JAVA_HOME": str(java().parents[1]),
            "JAVA_TOOL_OPTIONS": os.environ.get("JAVA_TOOL_OPTIONS", ""),
            "HOME": str(TEMPORARY),
        }
        found = Agents(cluster, folder, own | reached, is_alive)
        try:
            for name in ("red", "blue"):
                found.start(name)
            yield found
        finally:
            for host in cluster.hosts:
                host.die()


def checkpoints(cluster: Cluster) -> str:
    """The folder of checkpoints that all hosts see."""
    return f"{cluster.files.uri}/checkpoints"


def _reached(stack: ExitStack, cluster: Cluster, url: str) -> str:
    """The address of a part of this machine, as hosts reach it."""
    address = cluster.spark.network.address
    port = urlsplit(url).port
    assert port is not None
    return url.replace(f"127.0.0.1:{port}", f"{address}:{stack.enter_context(forwarded(address, port))}")
