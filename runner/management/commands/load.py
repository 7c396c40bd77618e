"""`manage.py load customers customers.csv --key id`: reference data for a table."""

import io
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from django.core.management.base import BaseCommand, CommandError

from designer.command_line import MANAGE
from designer.projects.roles import SERVER
from designer.refusals import Refusal
from designer.text import write_count
from runner.control.clusters.loading import load, read_csv_rows, read_json_rows
from runner.control.clusters.services import get_cluster

READERS = {"csv": read_csv_rows, "json": read_json_rows}
ENDINGS = {".csv": "csv", ".json": "json", ".jsonl": "json", ".ndjson": "json"}


class Command(BaseCommand):
    """Writes the rows of a file into a topic, from which a table or global_table reads them."""

    needs = SERVER
    help = (
        "Write rows as records with JSON values in one transaction. A missing topic is created as a compacted one. A "
        "row replaces the earlier row with the same key. From a database: psql --csv -c '…' | "
        f"{MANAGE} load TOPIC - …"
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declares the options."""
        parser.add_argument("topic", help="Name of the topic.")
        parser.add_argument("file", help="CSV with a header line, or one JSON object per line. -: standard input.")
        parser.add_argument("--key", required=True, metavar="FIELD", help="Field that holds the record's key.")
        parser.add_argument(
            "--format", choices=READERS, help="Default: by the extension of the file. csv for standard input."
        )
        parser.add_argument("--cluster", help="Name of the Kafka cluster. Default: the local one.")

    def handle(self, *args: Any, **options: Any) -> None:
        """Prints one line."""
        name = options["file"]
        try:
            with _open(name) as text:
                rows = READERS[options["format"] or _choose_format(name)](text)
                record_count = load(get_cluster(options["cluster"]).connect(), options["topic"], rows, options["key"])
        except Refusal as refusal:
            raise CommandError(f"{refusal.message} {refusal.hint}") from refusal
        except OSError as error:
            raise CommandError(f"{name} cannot be read: {error.strerror}.") from error
        except UnicodeDecodeError as error:
            raise CommandError(f"{name} is not text in UTF-8. Save it so, then load it again.") from error
        self.stdout.write(f"{write_count(record_count, 'record')} written to {options['topic']}.")


@contextmanager
def _open(name: str) -> Iterator[TextIO]:
    if name == "-":
        if isinstance(sys.stdin, io.TextIOWrapper):  # by itself it takes the locale's encoding, and any byte
            sys.stdin.reconfigure(encoding="utf-8-sig", errors="strict", newline="")
        yield sys.stdin
    else:
        with Path(name).open(encoding="utf-8-sig", newline="") as file:
            yield file


def _choose_format(name: str) -> str:
    format_name = ENDINGS.get(Path(name).suffix.lower(), "csv" if name == "-" else None)
    if format_name is None:
        raise CommandError(f"{name} does not show its format. Add --format csv or --format json.")
    return format_name
