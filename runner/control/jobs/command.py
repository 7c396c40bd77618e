"""What the commands about jobs share: who acts, which topology is meant, and refusals as one sentence."""

from __future__ import annotations

from abc import abstractmethod
from pathlib import Path
from typing import Any

import orjson
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractUser
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import OperationalError

from designer.issues import Issue
from designer.models import Topology
from designer.refusals import HasIssues, Refusal
from designer.services import import_topology, take_export


class JobCommand(BaseCommand):
    """Subclasses implement `act`; what it refuses is printed with its next step."""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--by", help="Name of the user who acts. Default: the first user.")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            self.act(**options)
        except HasIssues as refusal:
            raise CommandError("\n".join(["The topology has issues:", *map(line_of, refusal.issues)])) from refusal
        except Refusal as refusal:
            raise CommandError(f"{refusal.message} {refusal.hint}".strip()) from refusal
        except OperationalError as error:
            raise CommandError("Postgres does not answer. Start it with `make run`, or set DATABASE_URL.") from error

    @abstractmethod
    def act(self, **options: Any) -> None:
        """Does what the command is for."""

    def user(self, name: str | None) -> AbstractUser:
        """The user of that name, else the first one."""
        users = get_user_model().objects.filter(is_active=True).order_by("id")
        user = users.filter(username=name).first() if name else users.first()
        if not isinstance(user, AbstractUser):
            raise CommandError(
                f"There is no user `{name}`." if name else "There is no user yet. Run `make run` to create one."
            )
        return user


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
    """What a file holds; raises CommandError."""
    try:
        return orjson.loads(path.read_bytes())
    except orjson.JSONDecodeError as error:
        raise CommandError(f"{path} is not valid JSON: {error}. Export the topology again.") from None


def from_export(exported: Any, by: Any) -> Topology:
    """The topology of that name with the export as its draft, else a new one."""
    name = exported.get("name") if isinstance(exported, dict) else None
    topology = Topology.objects.filter(name=name).first() if name else None
    if topology is None:
        return import_topology(exported=exported, by=by)
    take_export(topology=topology, exported=exported, by=by)
    return topology


def line_of(issue: Issue) -> str:
    """`  late, predicate: what is wrong and the next step`"""
    where = ", ".join(part for part in (issue.node, issue.field) if part)
    return f"  {where}: {issue.message} {issue.hint}" if where else f"  {issue.message} {issue.hint}"
