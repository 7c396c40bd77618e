"""An S3 server in its own process: its buckets lie in memory, and `If-None-Match` lets one of two writers win."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.request import Request, urlopen

from tests.patience import PATIENCE_SECONDS
from webapp.local.ports import choose_port

BUCKET = "jobs"
OWNER, STRANGER = "000000000000", "111111111111"
"""Keys by which the server knows accounts: a bucket belongs to the one that made it."""


@dataclass(frozen=True)
class S3:
    """A running server with one bucket."""

    address: str
    uri: str = f"s3a://{BUCKET}"

    def make_bucket(self, name: str, key: str = OWNER) -> None:
        """Makes a bucket of an account."""
        authorization = f"AWS4-HMAC-SHA256 Credential={key}/20260101/us-east-1/s3/aws4_request"
        request = Request(f"{self.address}/{name}", method="PUT", headers={"Authorization": authorization})
        urlopen(request, timeout=2).close()

    def make_environment(self, key: str = OWNER) -> dict[str, str]:
        """The variables of a host that reaches it with a key."""
        return {
            "AWS_ENDPOINT_URL_S3": self.address,
            "AWS_REGION": "us-east-1",
            "AWS_ACCESS_KEY_ID": key,
            "AWS_SECRET_ACCESS_KEY": "canary",
            "AWS_EC2_METADATA_DISABLED": "true",
        }


@contextmanager
def s3(folder: Path, address: str = "127.0.0.1") -> Iterator[S3]:
    """Starts a server whose log lies in `folder`, and ends it."""
    folder.mkdir(parents=True, exist_ok=True)
    port = choose_port(folder, "s3")
    own = {"GATEWAY_PORT": str(port), "BIND_HOST": address, "SERVICES": "s3", "STATE_DIR": str(folder)}
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(
            [Path(sys.executable).with_name("ministack")], env=os.environ | own, cwd=folder, stdout=log, stderr=log
        )
    try:
        found = S3(f"http://{address}:{port}")
        _await(found, server, folder)
        yield found
    finally:
        server.kill()
        server.wait()


def _await(found: S3, server: subprocess.Popen[bytes], folder: Path) -> None:
    """Until the bucket is made."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            found.make_bucket(BUCKET)
            return
        except OSError:
            assert server.poll() is None and time.monotonic() < deadline, (folder / "log").read_text()
            time.sleep(0.1)
