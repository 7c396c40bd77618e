"""Schemathesis against a running server: what the OpenAPI says of each operation holds, whatever is sent.

`python -m tests.soak.api --seed 1 --count 50` starts the product for it.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.proof.product import ROOT, Product

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


def finds_faults(url: str, session: str, token: str, *, seed: str, count: int) -> bool:
    """Whether schemathesis finds anything with `count` examples for each operation; it prints what."""
    number = int(seed) if seed.isdigit() else sum(seed.encode())
    command = [
        str(Path(sys.executable).with_name("schemathesis")),
        *("run", f"{url}/api/openapi.json", "--url", url, "--checks", ",".join(CHECKS)),
        *("--header", f"Cookie: sessionid={session}; csrftoken={token}", "--header", f"X-CSRFToken: {token}"),
        *("--exclude-path-regex", OPERATIONS_THAT_RUN_JOBS, "--phases", "examples,coverage,fuzzing"),
        *("--max-examples", str(count), "--seed", str(number), "--suppress-health-check", "all"),
        *("--continue-on-failure", "--warnings", "off", "--request-timeout", "60", "--no-color"),
    ]
    return subprocess.run(command, cwd=tempfile.gettempdir(), check=False).returncode != 0


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.soak.api")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--count", type=int, default=50)
    asked = parser.parse_args()
    home = Path(tempfile.mkdtemp(prefix="soak-", dir=ROOT / ".run"))
    home.chmod(0o755)
    product = Product(home)
    product.start()
    try:
        return finds_faults_of(product, asked.seed, asked.count)
    finally:
        product.stop()
        shutil.rmtree(home)


def finds_faults_of(product: Product, seed: str, count: int) -> bool:
    cookies = product.http.cookies
    url = str(product.http.base_url).rstrip("/")
    return finds_faults(url, cookies["sessionid"], cookies["csrftoken"], seed=seed, count=count)


if __name__ == "__main__":
    sys.exit(main())
