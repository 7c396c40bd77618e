"""A Spark cluster answers as Kafka Streams and as one machine: a sample of each family, and the gallery's applications.

`python -m tests.soak.results` prints each case that differs. Needs what `tests/cluster/hosts.py` needs.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from pyspark import cloudpickle

from designer.topology.user_code import find_nodes_with_code
from tests.cluster.conftest import running_cluster
from tests.conformance.product import on_spark as queries
from tests.conformance.product.on_spark import World, answers, session
from tests.conformance.test_on_spark import SAMPLE, failing
from tests.gallery.answering import graph_of, on_spark, without_times
from tests.gallery.probes import PROBES


def wrong_answers() -> int:
    """How many cases and applications a cluster answers differently; prints them."""
    # executors have no tests: the source of these queries travels whole
    cloudpickle.register_pickle_by_value(queries)
    with tempfile.TemporaryDirectory(prefix="soak-") as home:
        folder = Path(home)
        folder.chmod(0o755)
        with running_cluster(folder) as cluster, session(folder, cluster.on_spark) as spark:
            world = World(spark, cluster.kafka, folder, placed=cluster.on_spark)
            wrong = [f"{name}: {why}" for name, why in failing(SAMPLE, answers(world, SAMPLE), "per-key").items()]
            wrong += differing_applications(world)
    print("\n".join(wrong or [f"{len(SAMPLE)} cases and the gallery answer on a cluster as they do elsewhere"]))
    return len(wrong)


def differing_applications(world: World) -> Iterator[str]:
    """Why applications of the gallery differ; those with Python code are left out, which executors must be allowed."""
    probes = {of: probe for of, probe in PROBES.items() if not find_nodes_with_code(graph_of(of))}
    found = on_spark(world, [graph_of(of) for of in probes], list(probes.values()))
    for (of, probe), answer in zip(probes.items(), found, strict=True):
        if isinstance(answer, Exception):
            yield f"{of}: {answer}"
        elif probe.at_once is None:
            if answer.written != {topic: list(records) for topic, records in probe.written.items()}:
                yield f"{of}: {answer.written}"
        elif without_times(answer.written) != {topic: each for topic, each in probe.at_once.items() if each}:
            yield f"{of}: {answer.written}"


if __name__ == "__main__":
    sys.exit(bool(wrong_answers()))
