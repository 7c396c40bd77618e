"""`manage.py deploy flight-delays --set batch_interval_ms=500`"""

from pathlib import Path
from typing import Any

import orjson
from django.core.management.base import CommandError, CommandParser

from designer.cases import take_cases
from designer.exchange import read_cases
from designer.models import Topology
from designer.services import import_topology, save_draft
from runner.control.jobs import services
from runner.control.jobs.command import JobCommand
from runner.control.jobs.models import OnState


class Command(JobCommand):
    help = "Run a topology, given by its slug, name or id, or by an exported file."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("topology", help="Slug, name or id of a topology, or an exported .json file.")
        parser.add_argument("--name", default="", help="Name of the job. Default: the topology's slug.")
        parser.add_argument(
            "--set", action="append", default=[], metavar="SETTING=VALUE", help="A setting of the job. May be repeated."
        )
        parser.add_argument("--cluster", help="Name of the Kafka cluster. Default: the local one.")
        parser.add_argument("--spark", help="Name of the Spark cluster; '' for the host of an agent.")
        parser.add_argument(
            "--on-state",
            choices=OnState.values,
            default=OnState.KEEP.value,
            help="What to do where state, offsets or a checkpoint cannot be kept. Default: refuse to deploy.",
        )

    def act(self, **options: Any) -> None:
        by = self.user(options["by"])
        job = services.deploy(
            by=by,
            topology=topology_of(options["topology"], by),
            name=options["name"],
            settings=dict(read_setting(text) for text in options["set"]),
            cluster=options["cluster"],
            spark=options["spark"],
            on_state=options["on_state"],
        )
        self.stdout.write(f"Job {job.name} will run version {job.version.number} of {job.topology}.")
        if job.spark is not None and (room := services.preview_deploy(drawn=job.version, name=job.name).room):
            self.stdout.write(room)


def topology_of(text: str, by: Any) -> Topology:
    """The topology that is meant; a file becomes a topology, or the new draft of the one that has its name."""
    path = Path(text)
    if path.suffix == ".json":
        if not path.exists():
            raise CommandError(f"There is no file {path}. Name an exported topology.")
        return from_export(read_json(path), by)
    found = Topology.objects.filter(slug=text) or Topology.objects.filter(name=text)
    topology = found.first() or (Topology.objects.filter(id=int(text)).first() if text.isdigit() else None)
    if topology is None:
        known = ", ".join(Topology.objects.order_by("slug").values_list("slug", flat=True)) or "none yet"
        raise CommandError(f"There is no topology `{text}`. Topologies: {known}.")
    return topology


def read_json(path: Path) -> Any:
    try:
        return orjson.loads(path.read_bytes())
    except orjson.JSONDecodeError as error:
        raise CommandError(f"{path} is not valid JSON: {error}. Export the topology again.") from None


def from_export(exported: Any, by: Any) -> Topology:
    name = exported.get("name") if isinstance(exported, dict) else None
    topology = Topology.objects.select_related("draft").filter(name=name).first() if name else None
    if topology is None:
        return import_topology(exported=exported, by=by)
    save_draft(
        topology=topology,
        graph=exported.get("graph", {}),
        revision=topology.draft.revision,
        by=by,
        schemas=exported.get("schemas", {}),
    )
    take_cases(topology=topology, cases=read_cases(exported), by=by)
    return topology


def read_setting(text: str) -> tuple[str, Any]:
    """`tasks=4` is a number, `cache=false` a truth, anything else text."""
    name, equals, value = text.partition("=")
    if not equals:
        raise CommandError(f"`--set {text}` has no value. Write --set name=value.")
    try:
        return name, orjson.loads(value)
    except orjson.JSONDecodeError:
        return name, value
