"""Schemathesis against a running server: what the OpenAPI says of each operation holds, whatever is sent.

`python -m tests.soak.api --seed 1 --count 50` starts the product for it.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.proof.product import Product, make_home

CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_schema_conformance",
    "unsupported_method",
    "ignored_auth",
)
OPERATIONS_THAT_RUN_JOBS = r"^/api/jobs/deploy$"
"""Each may start a process of a gigabyte; faults and proofs deploy enough."""


OPERATIONS_OF_TOKENS = r"^/api/tokens"
"""They need a session: no token makes another one."""


def finds_faults(url: str, signed_in: Mapping[str, str], paths: Sequence[str], *, seed: str, count: int) -> bool:
    """Whether schemathesis finds anything with `count` examples for each operation; it prints what.

    `signed_in` are the headers of someone, `paths` the options that choose operations.
    """
    number = int(seed) if seed.isdigit() else sum(seed.encode())
    command = [
        str(Path(sys.executable).with_name("schemathesis")),
        *("run", f"{url}/api/openapi.json", "--url", url, "--checks", ",".join(CHECKS)),
        *(option for name, value in signed_in.items() for option in ("--header", f"{name}: {value}")),
        *(*paths, "--phases", "examples,coverage,fuzzing"),
        *("--max-examples", str(count), "--seed", str(number), "--suppress-health-check", "all"),
        *("--continue-on-failure", "--warnings", "off", "--request-timeout", "60", "--no-color"),
    ]
    return subprocess.run(command, cwd=tempfile.gettempdir(), check=False).returncode != 0


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.soak.api")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--count", type=int, default=50)
    asked = parser.parse_args()
    home = make_home()
    with Product(home) as product:
        found = finds_faults_of(product, asked.seed, asked.count)
    shutil.rmtree(home)
    return found


def finds_faults_of(product: Product, seed: str, count: int) -> bool:
    """Signed in by a token: with a session, an invented Authorization of another scheme would not matter."""
    url, cookies = str(product.http.base_url).rstrip("/"), product.http.cookies
    session = {
        "Cookie": f"sessionid={cookies['sessionid']}; csrftoken={cookies['csrftoken']}",
        "X-CSRFToken": cookies["csrftoken"],
    }
    token = {"Authorization": f"Bearer {product.post('/tokens', {'name': 'schemathesis'})['text']}"}
    others = ["--exclude-path-regex", f"{OPERATIONS_THAT_RUN_JOBS}|{OPERATIONS_OF_TOKENS}"]
    found = finds_faults(url, token, others, seed=seed, count=count)
    return finds_faults(url, session, ["--include-path-regex", OPERATIONS_OF_TOKENS], seed=seed, count=count) or found


if __name__ == "__main__":
    sys.exit(main())
