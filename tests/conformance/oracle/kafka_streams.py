"""Real Kafka Streams, in its TopologyTestDriver, as the oracle that answers cases."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from tests.conformance.product.cases import Case
from tests.java import FOLDER, ONE_COMPILER, compiled
from webapp.local.java import find_java

SOURCES = Path(__file__).with_name("src")
QUIET = "-Dorg.apache.logging.log4j.level=OFF"


def answered(cases: Iterable[Case]) -> list[dict[str, Any]]:
    """The cases with what Kafka Streams answers, or with an `error` where it refuses them, in their order."""
    lines = "".join(json.dumps(case) + "\n" for case in cases)
    done = subprocess.run(command("run"), input=lines, stdout=subprocess.PIPE, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def command(*words: str, main: str = "oracle.Main", options: Sequence[str] = ()) -> list[str]:
    """The command line of the oracle, which is compiled when its source is new."""
    path = compiled(SOURCES, FOLDER.parent / "oracle")
    return [str(find_java()), "-Xmx512m", QUIET, *options, "-cp", path, main, *words]


def run_applications(servers: str, cases: Iterable[Case], at_once: int = 6) -> None:
    """Runs cases on a broker as real applications, so many side by side, until all their input went through them.

    Their topics hold JSON, and their names are application ids.
    """
    lines = "".join(json.dumps(case) + "\n" for case in cases)
    options = [ONE_COMPILER, "-XX:+UseSerialGC", "-Doracle.json=true"]
    words = command(servers, str(at_once), main="oracle.Applications", options=options)
    subprocess.run(words, input=lines, text=True, check=True)
