"""`manage.py acls flight-delays --principal User:job`"""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from designer.projects.roles import VIEWER
from runner.control.jobs import services
from runner.control.jobs.command import JobCommand, get_topology
from runner.control.jobs.targets import Wish
from runner.kafka.acls import find_missing


class Command(JobCommand):
    needs = VIEWER
    help = "Print the ACLs that a topology's job needs, as commands for an administrator of Kafka."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("topology", help="Slug, name or id of a topology.")
        parser.add_argument("--name", default="", help="Name of the job. Default: the topology's.")
        parser.add_argument("--cluster", help="Name of the cluster. Default: the cluster of the job or the topology.")
        parser.add_argument("--principal", default="User:NAME", help="Principal that gets them. Default: User:NAME.")
        parser.add_argument("--missing", action="store_true", help="Print only those that the cluster's user lacks.")

    def act(self, **options: Any) -> None:
        topology = get_topology(options["topology"], self.user(options["by"]))
        needs, cluster = services.find_needed_acls(
            origin=topology.draft, wish=Wish(options["name"], cluster=options["cluster"])
        )
        acls = find_missing(cluster.connect(), needs.acls) if options["missing"] else needs.acls
        for acl in acls:
            self.stdout.write(acl.command(options["principal"], cluster.bootstrap_servers))
        for note in needs.notes:
            self.stdout.write(f"# {note}")
        if options["missing"] and (lacking := [acl for acl in acls if acl.operations]):
            raise CommandError(f"The user of the cluster `{cluster}` lacks these ACLs for {len(lacking)} resources.")
