"""`manage.py try flight-delays`"""

from pathlib import Path
from typing import Any

from django.conf import settings

from designer.projects.exchange import read_cases, read_export, read_stored_graph
from designer.projects.models import Draft, TestCase
from designer.projects.roles import SERVER
from designer.topology.user_code import find_nodes_with_code
from runner.control.clusters.services import get_cluster_of
from runner.control.jobs.command import get_topology, read_json
from runner.kafka import KafkaCluster
from runner.management.shared import SharedCommand
from runner.watch.trials.cases import Verdict, check_cases
from runner.watch.trials.lines import write_line


class Command(SharedCommand):
    needs = SERVER

    def act(self, **options: Any) -> None:
        stored_graph, cases, cluster = _find_cases(options["topology"])
        graph = stored_graph.read_graph()
        by = self.user(options["by"]) if find_nodes_with_code(graph) else None
        verdicts = check_cases(cases=cases, graph=graph, schemas=stored_graph.read_schemas(), cluster=cluster, by=by)
        wrong = [verdict for verdict in verdicts if verdict.word != "passed"]
        for verdict in wrong:
            self.stdout.write(_describe(verdict))
        self.stdout.write(f"{len(verdicts) - len(wrong)} passed, {len(wrong)} failed")
        if wrong:
            raise SystemExit(1)


def _find_cases(text: str) -> tuple[Draft, list[TestCase], KafkaCluster]:
    """The graph, its cases and the cluster for unknown facts of its topics. A file needs no Postgres."""
    if not text.endswith(".json"):
        topology = get_topology(text, None)
        return topology.draft, list(topology.cases.all()), get_cluster_of(topology).connect()
    export = read_json(Path(text))
    _, graph, schemas = read_export(export)
    cases = [TestCase(**each) for each in read_cases(export)]
    return Draft(**read_stored_graph(graph, schemas)), cases, KafkaCluster(settings.KAFKA_BOOTSTRAP_SERVERS)


def _describe(verdict: Verdict) -> str:
    lines = [f"{verdict.case.name}: {verdict.why}".rstrip()]
    if verdict.difference is not None:
        expectation, outcome, at = verdict.difference
        lines.append(f"  expected {'nothing more' if expectation is None else write_line(expectation)}")
        lines.append(f"  got      {'nothing' if outcome is None else write_line(outcome)}")
        if at:
            lines.append(f"  differs at {at}")
    return "\n".join(lines)
