"""`manage.py prove orders --minutes 30`"""

from pathlib import Path
from typing import Any

import orjson
from django.core.management.base import CommandError, CommandParser

from designer.projects.exchange import read_export, read_stored_graph
from designer.projects.models import Draft
from designer.projects.roles import EDITOR
from runner.control.jobs.command import JobCommand, find_topology, read_json
from runner.control.jobs.models import Job
from runner.control.jobs.services import get_job_named
from runner.management.arguments import read_amount
from runner.watch.proving.services import prove
from runner.watch.proving.text import describe_report

EQUAL, DIFFERS, COULD_NOT = 0, 1, 2


class Command(JobCommand):
    needs = EDITOR.asking
    help = (
        "Run a changed topology beside its job, over the batches of the last minutes, and compare the results. Nothing "
        f"is written. The exit code is {EQUAL} if all results are equal, {DIFFERS} if some differ, {COULD_NOT} if it "
        "could not be proved."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("topology", help="Slug, name or id of a topology with a draft, or an exported .json file.")
        parser.add_argument("--job", help="Name of the job. Default: the job of the topology.")
        parser.add_argument(
            "--minutes",
            type=read_amount,
            default=10.0,
            help="Begin with the batch of so many minutes ago. 0: with the newest batch. Default: 10.",
        )
        parser.add_argument(
            "--live",
            type=read_amount,
            default=0.0,
            metavar="SECONDS",
            help="Afterwards, compare new batches for so many seconds. Default: 0.",
        )
        parser.add_argument(
            "--rebuild",
            action="store_true",
            help="Rebuild all state of the new version from the topics. Default: keep the stores that a deploy keeps.",
        )
        parser.add_argument("--json", action="store_true", help="Print the whole report as JSON.")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            super().handle(*args, **options)
        except CommandError as error:
            error.returncode = COULD_NOT
            raise

    def act(self, **options: Any) -> None:
        job, candidate = _find(options["topology"], options["job"])
        by, minutes, live = self.user(options["by"]), options["minutes"], options["live"]
        times = {"minutes": minutes, "live_seconds": live}
        report = prove(job=job, origin=candidate, by=by, is_rebuilt=options["rebuild"], **times)
        self.stdout.write(orjson.dumps(report).decode() if options["json"] else describe_report(report))
        if not report["batches"]:
            raise SystemExit(COULD_NOT)
        if not report["equal"]:
            raise SystemExit(DIFFERS)


def _find(text: str, name: str | None) -> tuple[Job, Draft]:
    """The job, and the candidate: the draft of a topology, or the graph of a file."""
    if text.endswith(".json"):
        title, graph, schemas = read_export(read_json(Path(text)))
        topology = find_topology(title)
        candidate = Draft(topology=topology, **read_stored_graph(graph, schemas))
    else:
        topology = find_topology(text)
        candidate = topology.draft if topology else Draft()
    if topology is None:
        raise CommandError(f"There is no topology `{text}`. Name one that has a job.")
    job = get_job_named(name) if name else topology.jobs.first()
    if job is None:
        raise CommandError(f"{topology.name} has no job. Deploy it first: a proof needs a running version.")
    return job, candidate
