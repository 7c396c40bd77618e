"""Real Kafka Streams, in its TopologyTestDriver, as the oracle that answers cases."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from runner.conformance.cases import Case
from tests.java import FOLDER, compiled
from webapp.local.java import java

SOURCES = Path(__file__).with_name("src")
QUIET = "-Dorg.apache.logging.log4j.level=OFF"


def answered(cases: Iterable[Case]) -> list[dict[str, Any]]:
    """The cases with what Kafka Streams answers, or with an `error` where it refuses them, in their order."""
    lines = "".join(json.dumps(case) + "\n" for case in cases)
    done = subprocess.run(command("run"), input=lines, stdout=subprocess.PIPE, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def command(*words: str) -> list[str]:
    """The command line of the oracle, which is compiled when its source is new."""
    return [str(java()), "-Xmx512m", QUIET, "-cp", compiled(SOURCES, FOLDER.parent / "oracle"), "oracle.Main", *words]


def applications(servers: str, cases: Iterable[Case], at_once: int = 6) -> subprocess.Popen[str]:
    """Runs cases on a broker as real applications, so many side by side, and ends when all input went through them."""
    options = [QUIET, "-Doracle.json=true", "-cp", compiled(SOURCES, FOLDER.parent / "oracle")]
    words = [str(java()), "-Xmx512m", *options, "oracle.Applications", servers, str(at_once)]
    process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert process.stdin is not None
    process.stdin.write("".join(json.dumps(case) + "\n" for case in cases))
    process.stdin.close()
    process.stdin = None
    return process
