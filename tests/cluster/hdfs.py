"""A real HDFS in a folder: a NameNode and DataNodes, each a process, on one address."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.request import urlopen

import pyspark

from tests.java import ONE_COMPILER, fetched
from tests.patience import PATIENCE_SECONDS
from webapp.local.java import find_java
from webapp.local.ports import choose_port

SPARK_JARS = Path(pyspark.__file__).parent / "jars"
NAME_NODE = "org.apache.hadoop.hdfs.server.namenode.NameNode"
DATA_NODE = "org.apache.hadoop.hdfs.server.datanode.DataNode"


@dataclass(frozen=True)
class Hdfs:
    """A running file system. `uri` is its root."""

    uri: str
    folder: Path
    data_nodes: list[subprocess.Popen[bytes]]

    def stop_data_node(self, number: int) -> None:
        """Kills a DataNode; no one gives its blocks."""
        _end(self.data_nodes[number])

    def restart_data_node(self, number: int) -> None:
        """Kills a DataNode and starts it again; its blocks are on its disk."""
        self.stop_data_node(number)
        self.data_nodes[number] = _started(self.folder / f"data-{number}", DATA_NODE)


@contextmanager
def hdfs(folder: Path, address: str, *, data_nodes: int = 1) -> Iterator[Hdfs]:
    """Starts a file system whose files and logs lie in `folder`, and ends it."""
    port, web = choose_port(folder, "name-node"), choose_port(folder, "name-node-web")
    name = _configured(folder / "name", address, port, web, data_nodes)
    subprocess.run(_command(name, NAME_NODE, "-format", "-force"), check=True, capture_output=True)
    name_node = _started(name, NAME_NODE)
    found = Hdfs(f"hdfs://{address}:{port}", folder, [])
    try:
        for number in range(data_nodes):
            own = _configured(folder / f"data-{number}", address, port, web, data_nodes)
            found.data_nodes.append(_started(own, DATA_NODE))
        _await(folder, f"{address}:{web}", data_nodes)
        yield found
    finally:
        for process in (name_node, *found.data_nodes):
            _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _configured(folder: Path, address: str, port: int, web: int, replication: int) -> Path:
    (folder / "conf").mkdir(parents=True)
    any_port = f"{address}:0"
    (folder / "conf" / "core-site.xml").write_text(_xml({"fs.defaultFS": f"hdfs://{address}:{port}"}))
    (folder / "conf" / "hdfs-site.xml").write_text(
        _xml(
            {
                "dfs.namenode.name.dir": str(folder / "names"),
                "dfs.datanode.data.dir": str(folder / "blocks"),
                "dfs.replication": str(replication),
                "dfs.namenode.rpc-bind-host": address,
                "dfs.namenode.http-address": f"{address}:{web}",
                "dfs.datanode.hostname": address,
                "dfs.datanode.address": any_port,
                "dfs.datanode.http.address": any_port,
                "dfs.datanode.ipc.address": any_port,
                "dfs.namenode.datanode.registration.ip-hostname-check": "false",
                "dfs.permissions.enabled": "false",
                "dfs.namenode.safemode.extension": "0",
            }
        )
    )
    return folder


def _xml(settings: dict[str, str]) -> str:
    properties = (f"<property><name>{name}</name><value>{value}</value></property>" for name, value in settings.items())
    return f"<configuration>{''.join(properties)}</configuration>"


def _command(folder: Path, role: str, *arguments: str) -> list[str]:
    jars = [*map(str, fetched("hdfs")), str(SPARK_JARS / "*")]
    return [
        str(find_java()),
        "-Xmx192m",
        ONE_COMPILER,
        "-cp",
        os.pathsep.join([str(folder / "conf"), *jars]),
        role,
        *arguments,
    ]


def _started(folder: Path, role: str) -> subprocess.Popen[bytes]:
    with (folder / "log").open("wb") as log:
        return subprocess.Popen(
            _command(folder, role), cwd=folder, stdout=log, stderr=subprocess.STDOUT, start_new_session=True
        )


def _await(folder: Path, web: str, data_nodes: int) -> None:
    """Until the NameNode accepts files and has heard of every DataNode."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while _state(web) != ("Operational", data_nodes):
        assert time.monotonic() < deadline, (folder / "name" / "log").read_text(errors="replace")[-4_000:]
        time.sleep(0.2)


def _state(web: str) -> tuple[str, int] | None:
    try:
        with urlopen(f"http://{web}/jmx?qry=Hadoop:service=NameNode,name=FSNamesystemState", timeout=2) as answer:
            (found,) = json.load(answer)["beans"]
    except (OSError, ValueError):
        return None  # not yet
    return found["FSState"], found["NumLiveDataNodes"]
