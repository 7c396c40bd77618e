"""A stand-in for a Kubernetes cluster: it keeps pods, and carries each out as a process of this machine.

It answers the few calls that Spark's driver makes. Each is recorded as Kubernetes names it for its rules of access,
such as `create pods`, and each pod is checked against Kubernetes' own schemas.
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import kubernetes_validate

KUBERNETES = "1.33"
"""The version whose schemas everything is checked against."""
Json = dict[str, Any]


def validate(manifest: Json) -> None:
    """Raises a ValidationError if Kubernetes would refuse it, also for a field that it does not know."""
    kubernetes_validate.validate(manifest, KUBERNETES, strict=True)


class Pods:
    """The pods of all namespaces, and what was asked about them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.calls: set[str] = set()
        self.created: list[Json] = []
        self.kept: dict[str, Json] = {}
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        self.watchers: list[queue.Queue[Json | None]] = []
        self.lock = threading.RLock()
        self.version = 0

    def create(self, pod: Json) -> Json:
        validate(pod)
        with self.lock:
            name = pod["metadata"]["name"]
            self.created.append(json.loads(json.dumps(pod)))
            pod["metadata"] |= {"uid": f"uid-{name}", "creationTimestamp": "2026-01-01T00:00:00Z"}
            pod["status"] = {"phase": "Pending"}
            self._tell("ADDED", pod)
            self.processes[name] = self._start(name, pod["spec"]["containers"][0])
            pod["status"] = {"phase": "Running", "podIP": "127.0.0.1", "containerStatuses": [_state(running={})]}
            self._tell("MODIFIED", pod)
        threading.Thread(target=self._await, args=(name,), daemon=True).start()
        return pod

    def delete(self, name: str) -> None:
        with self.lock:
            pod = self.kept.get(name)
            if pod is not None:
                self.processes[name].kill()
                self._tell("DELETED", pod)
                del self.kept[name]

    def log(self, name: str) -> str:
        return (self.folder / f"{name}.log").read_text(errors="replace")

    def listed(self, selector: str) -> list[Json]:
        with self.lock:
            return [pod for pod in self.kept.values() if _selects(selector, pod)]

    @contextmanager
    def watched(self) -> Iterator[queue.Queue[Json | None]]:
        events: queue.Queue[Json | None] = queue.Queue()
        with self.lock:
            self.watchers.append(events)
        yield events

    def end(self) -> None:
        for name in list(self.kept):
            self.delete(name)
        for watcher in self.watchers:
            watcher.put(None)

    def _start(self, name: str, container: Json) -> subprocess.Popen[bytes]:
        of_pod = {"status.podIP": "127.0.0.1", "metadata.name": name}
        given = {
            each["name"]: of_pod[each["valueFrom"]["fieldRef"]["fieldPath"]] if "valueFrom" in each else each["value"]
            for each in container["env"]
        }
        # what the image holds
        image = {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "SPARK_LOCAL_IP": "127.0.0.1"}
        work, disk = self.folder / name, self.folder / f"{name}-disk"
        work.mkdir()
        disk.mkdir()
        with (self.folder / f"{name}.log").open("wb") as log:
            return subprocess.Popen(
                [*container["command"], *container["args"]],
                env=image | given | {"SPARK_LOCAL_DIRS": str(disk)},
                cwd=work,
                stdout=log,
                stderr=subprocess.STDOUT,
            )

    def _await(self, name: str) -> None:
        code = self.processes[name].wait()
        with self.lock:
            if pod := self.kept.get(name):
                ended = {"exitCode": 128 - code if code < 0 else code}
                pod["status"] = {
                    "phase": "Failed" if code else "Succeeded",
                    "containerStatuses": [_state(terminated=ended)],
                }
                self._tell("MODIFIED", pod)

    def _tell(self, kind: str, pod: Json) -> None:
        self.version += 1
        pod["metadata"]["resourceVersion"] = str(self.version)
        self.kept[pod["metadata"]["name"]] = pod
        for watcher in self.watchers:
            watcher.put({"type": kind, "object": json.loads(json.dumps(pod))})


def _state(**state: Json) -> Json:
    return {"name": "executor", "image": "", "imageID": "", "ready": True, "restartCount": 0, "state": state}


def _selects(selector: str, pod: Json) -> bool:
    """Whether the labels of a pod fit `a=b,c in (d,e),!f`; only the first form must."""
    labels = pod["metadata"].get("labels", {})
    return all(
        labels.get(name) == value
        for name, _, value in (part.partition("=") for part in selector.split(",") if "=" in part)
    )


class Answers(BaseHTTPRequestHandler):
    """`/api/v1/namespaces/<namespace>/<resource>[/<name>]`, as Kubernetes answers it."""

    protocol_version = "HTTP/1.1"
    pods: Pods

    def do_GET(self) -> None:
        asked = parse_qs(urlsplit(self.path).query)
        if "watch" in asked:
            self._watch()
        elif name := self._name():
            self._note("get")
            pod = self.pods.kept.get(name)
            self._send(pod or _status(404), 200 if pod else 404)
        else:
            self._note("list")
            found = self.pods.listed(asked.get("labelSelector", [""])[0])
            version = {"resourceVersion": str(self.pods.version)}
            self._send({"apiVersion": "v1", "kind": "PodList", "metadata": version, "items": found})

    def do_POST(self) -> None:
        self._note("create")
        self._send(self.pods.create(self._body()), 201)

    def do_PATCH(self) -> None:
        self._note("patch")
        self._body()
        self._send(self.pods.kept[self._name()])

    def do_DELETE(self) -> None:
        self._body()
        asked = parse_qs(urlsplit(self.path).query)
        self._note("delete" if self._name() else "deletecollection")
        names = (
            [self._name()]
            if self._name()
            else [pod["metadata"]["name"] for pod in self.pods.listed(asked.get("labelSelector", [""])[0])]
        )
        for name in names:
            self.pods.delete(name)
        self._send(_status(200))

    def _watch(self) -> None:
        self._note("watch")
        if "Upgrade" in self.headers:  # the client then watches over plain HTTP
            self._send(_status(200))
            return
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        with self.pods.watched() as events, suppress(BrokenPipeError):
            while (event := events.get()) is not None:
                line = json.dumps(event).encode() + b"\n"
                self.wfile.write(f"{len(line):x}\r\n".encode() + line + b"\r\n")
                self.wfile.flush()

    def _name(self) -> str:
        return next(iter(urlsplit(self.path).path.split("/")[6:7]), "")

    def _note(self, verb: str) -> None:
        parts = urlsplit(self.path).path.split("/")
        self.pods.calls.add(f"{verb} {parts[5]}" if len(parts) > 5 else f"{verb} {self.path}")

    def _body(self) -> Json:
        found: Json = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"{}")
        return found

    def _send(self, answer: Json, code: int = 200) -> None:
        body = json.dumps(answer).encode()
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Calls are noted, not logged."""


def _status(code: int) -> Json:
    return {"apiVersion": "v1", "kind": "Status", "code": code, "status": "Success" if code == 200 else "Failure"}


@contextmanager
def kubernetes(folder: Path) -> Iterator[tuple[str, Pods]]:
    """The stand-in at work: its master as Spark names it, and its pods."""
    pods = Pods(folder)
    answers = type("OfThese", (Answers,), {"pods": pods})
    with ThreadingHTTPServer(("127.0.0.1", 0), answers) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"k8s://http://127.0.0.1:{server.server_port}", pods
        finally:
            pods.end()
            server.shutdown()
