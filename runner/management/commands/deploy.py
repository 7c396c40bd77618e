"""`manage.py deploy flight-delays --set batch_interval_ms=500`"""

from typing import Any

import orjson
from django.core.management.base import CommandError, CommandParser

from designer.projects.roles import OPERATOR
from runner.control.jobs import services
from runner.control.jobs.command import JobCommand, get_topology
from runner.control.jobs.statuses import OnState
from runner.control.jobs.targets import Wish
from runner.control.jobs.text import describe_preview


class Command(JobCommand):
    needs = OPERATOR
    help = "Run a topology, given by its slug, name or id, or by an exported file."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("topology", help="Slug, name or id of a topology, or an exported .json file.")
        parser.add_argument("--name", default="", help="Name of the job. Default: the topology's slug.")
        parser.add_argument(
            "--set", action="append", default=[], metavar="SETTING=VALUE", help="A setting of the job. May be repeated."
        )
        parser.add_argument("--message", default="", help="What this version changes, for the list of versions.")
        parser.add_argument("--cluster", help="Name of the Kafka cluster. Default: the local one.")
        parser.add_argument("--spark", help="Name of the Spark cluster; '' for the host of an agent.")
        parser.add_argument(
            "--on-state",
            choices=OnState.values,
            default=OnState.KEEP.value,
            help="What to do where state, offsets or a checkpoint cannot be kept. Default: refuse to deploy.",
        )

        parser.add_argument("--preview", action="store_true", help="Show what a deploy would do, without deploying.")

    def act(self, **options: Any) -> None:
        by = self.user(options["by"])
        topology = get_topology(options["topology"], by)
        settings = dict(read_setting(text) for text in options["set"])
        wish = Wish(options["name"], settings, options["cluster"], options["spark"])
        if options["preview"]:
            self.stdout.write(describe_preview(services.preview_deploy(origin=topology.draft, wish=wish).to_json()))
            return
        on_state = OnState(options["on_state"])
        job = services.deploy(by=by, topology=topology, message=options["message"], on_state=on_state, wish=wish)
        self.stdout.write(f"Job {job.name} will run version {job.version.number} of {job.topology}.")
        if job.spark is not None and (room := services.preview_deploy(origin=job.version, wish=Wish(job.name)).room):
            self.stdout.write(room)


def read_setting(text: str) -> tuple[str, Any]:
    """`tasks=4` is a number, `cache=false` a boolean, anything else text."""
    name, equals, value = text.partition("=")
    if not equals:
        raise CommandError(f"`--set {text}` has no value. Write --set name=value.")
    try:
        return name, orjson.loads(value)
    except orjson.JSONDecodeError:
        return name, value
