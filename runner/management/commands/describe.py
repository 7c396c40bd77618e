"""`manage.py describe flight-delays`"""

from typing import Any

from django.core.management.base import CommandParser

from designer.projects.roles import VIEWER
from runner.control.jobs import services
from runner.control.jobs.command import JobCommand, get_topology
from runner.control.jobs.targets import Wish


class Command(JobCommand):
    needs = VIEWER
    help = (
        "Print the sub-topologies, shuffles, stores and topics of a topology, like Topology#describe of Kafka Streams."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("topology", help="Slug, name or id of a topology, or an exported .json file.")
        parser.add_argument("--cluster", help="Name of the Kafka cluster. Default: the local one.")

    def act(self, **options: Any) -> None:
        topology = get_topology(options["topology"], self.user(options["by"]))
        preview = services.preview_deploy(origin=topology.draft, wish=Wish(cluster=options["cluster"]))
        self.stdout.write(preview.description)
