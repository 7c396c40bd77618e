"""Common parts of commands about jobs: the user, the topology, and refusals as one sentence."""

from __future__ import annotations

import sys
from abc import abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar, TextIO

import orjson
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractUser
from django.core.management.base import BaseCommand, CommandError, CommandParser, OutputWrapper
from django.db import OperationalError

from designer.command_line import START
from designer.issues import Issue
from designer.names import show_hidden
from designer.projects import audit
from designer.projects.models import Topology
from designer.projects.permissions import refuse
from designer.projects.projects import DEFAULT
from designer.projects.roles import SERVER, Need
from designer.projects.services import import_topology, take_export
from designer.refusals import HasIssues, Refusal


class VisibleOutput(OutputWrapper):
    """Output in which nothing is hidden: no text of a record or of another server steers the terminal."""

    def write(  # type: ignore[override]
        self, msg: str = "", style_func: Callable[[str], str] | None = None, ending: str | None = None
    ) -> None:
        super().write(show_hidden(msg), style_func, ending)


class JobCommand(BaseCommand):
    """Subclasses implement `act`, and say what it `needs`. Its refusals are printed with the next step."""

    needs: ClassVar[Need | None]

    def __init__(self, stdout: TextIO | None = None, stderr: TextIO | None = None, **options: Any) -> None:
        super().__init__(**options)
        self.stdout, self.stderr = VisibleOutput(stdout or sys.stdout), VisibleOutput(stderr or sys.stderr)
        self.stderr.style_func = self.style.ERROR

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--by", help="Name of the user who acts. Default: the first user.")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            command = type(self).__module__.rpartition(".")[2]
            if self.needs is SERVER:
                self.act(**options)
                return
            by = self.user(options["by"])
            refuse(by, self.needs, self.names_of(**options))
            with audit.collect() as changes:
                self.act(**options)
            if self.needs.writes and changes:
                what, about = f"manage.py {command}", " ".join(sys.argv[1:])
                audit.add_entry(by=by, address="command line", what=what, about=about, changes=changes)
        except HasIssues as refusal:
            raise CommandError(
                "\n".join(["The topology has issues:", *map(describe_issue, refusal.issues)])
            ) from refusal
        except Refusal as refusal:
            raise CommandError(f"{refusal.message} {refusal.hint}".strip()) from refusal
        except OperationalError as error:
            raise CommandError(f"Postgres does not answer. Start it with `{START}`, or set DATABASE_URL.") from error
        except OSError as error:
            if error.filename is None:
                raise
            raise CommandError(f"{error.filename} cannot be read or written: {error.strerror}.") from error

    @abstractmethod
    def act(self, **options: Any) -> None:
        """Executes the command."""

    def names_of(self, **options: Any) -> list[tuple[str, Any]]:
        """Return the names in the command line that permissions depend on: a topology, a file or a job."""
        text, job = options.get("topology") or "", options.get("job") or ""
        if text.endswith(".json"):
            return [get_place(find_exported_topology(read_json(Path(text))))]
        topology = find_topology(text) or Topology.objects.filter(jobs__name=job).first()
        return [get_place(topology)]

    def user(self, name: str | None) -> AbstractUser:
        """The user of that name, else the first one."""
        users = get_user_model().objects.filter(is_active=True).order_by("id")
        user = users.filter(username=name).first() if name else users.first()
        if not isinstance(user, AbstractUser):
            raise CommandError(
                f"There is no user `{name}`." if name else f"There is no user yet. Run `{START}` to create one."
            )
        return user


def get_topology(text: str, by: Any) -> Topology:
    """The topology. A file becomes a topology, or the new draft of the one with its name."""
    if text.endswith(".json"):
        return from_export(read_json(Path(text)), by)
    topology = find_topology(text)
    if topology is None:
        slugs = ", ".join(Topology.objects.order_by("slug").values_list("slug", flat=True)) or "none yet"
        raise CommandError(f"There is no topology `{text}`. Topologies: {slugs}.")
    return topology


def find_topology(text: str) -> Topology | None:
    """The topology with that slug, name or id."""
    topologies = Topology.objects.filter(slug=text) or Topology.objects.filter(name=text)
    return topologies.first() or (Topology.objects.filter(id=int(text)).first() if text.isdecimal() else None)


def find_exported_topology(export: Any) -> Topology | None:
    """The topology with the name of an export."""
    name = export.get("name") if isinstance(export, dict) else None
    return Topology.objects.filter(name=name).first() if name else None


def get_place(topology: Topology | None) -> tuple[str, Any]:
    """The place for rights: the topology's project, or `default` for a topology yet to be created."""
    return ("topology", topology.id) if topology else ("project", DEFAULT)


def read_json(path: Path) -> Any:
    """The content of a file. Raises CommandError."""
    if not path.exists():
        raise CommandError(f"There is no file {path}. Name an exported topology.")
    try:
        return orjson.loads(path.read_bytes())
    except orjson.JSONDecodeError as error:
        raise CommandError(f"{path} is not valid JSON: {error}. Export the topology again.") from None


def from_export(export: Any, by: Any) -> Topology:
    """The topology of that name with the export as its draft, else a new one."""
    topology = find_exported_topology(export)
    if topology is None:
        return import_topology(export=export, by=by)
    take_export(topology=topology, export=export, by=by)
    return topology


def describe_issue(issue: Issue) -> str:
    """`  late, predicate: what is wrong and the next step`"""
    where = ", ".join(part for part in (issue.node, issue.field) if part)
    return f"  {where}: {issue.message} {issue.hint}" if where else f"  {issue.message} {issue.hint}"
