"""`manage.py conformance`: cases that Kafka Streams answered, asked of our engine."""

import logging
import tempfile
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from runner import kernel
from runner.engine.driver import Driver
from tests.conformance.product.cases import Case, read_cases
from tests.conformance.product.compare import LEVELS, Level, has_one_end
from tests.conformance.product.report import Verdict, in_driver, in_spark, verdicts
from tests.runner.kernel_driver import KernelDriver
from webapp.local.kafka import Kafka
from webapp.local.parts import JARS, run_part


class Command(BaseCommand):
    """Runs case files and says which cases differ from Kafka Streams."""

    help = "Asks cases of the engine and prints the first difference of each that fails; the last line counts."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declares the options."""
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="a case, a list, a family, JSON lines")
        parser.add_argument("--on", choices=("driver", "spark"), default="driver", help="what runs the cases")
        parser.add_argument(
            "--batches",
            choices=("one", "random"),
            help="all records in one batch, or in random ones and with a restart in between; "
            "left out: on Spark one, in the driver one for each record",
        )
        parser.add_argument(
            "--level",
            choices=LEVELS,
            help="how strictly to compare; final runs with caches. Left out: stepwise in the driver, else per-key",
        )
        parser.add_argument("--seed", default="1", help="of random batches")
        parser.add_argument(
            "--engine",
            choices=("kernel", "python"),
            default="python",
            help="what runs the cases in the driver; kernel takes each record as a batch",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Asks every case; exits with 1 if one failed."""
        logging.getLogger("record").setLevel(logging.WARNING)  # peek would log what it sees
        cases = [case for file in options["files"] for case in _cases(file)]
        if not cases:
            raise CommandError("There is no case in the files. One case is an object with `topology` and `inputs`.")
        if options["on"] == "spark" and not JARS.exists():
            raise CommandError("Kafka's jars are not here yet: run `make install` first.")
        if options["engine"] == "kernel" and (options["on"] != "driver" or options["batches"]):
            raise CommandError(
                "--engine kernel takes each record as a batch in the driver: leave out --on and --batches."
            )
        if options["engine"] == "kernel" and kernel.load() is None:
            raise CommandError("The kernel is not built: install Rust with cargo, and run `make install`.")
        level: Level = options["level"] or ("per-key" if options["on"] == "spark" or options["batches"] else "stepwise")
        if level == "final":
            cases = self._with_one_end(cases)
        failed = 0
        for verdict in _asked(cases, level, options):
            if verdict.failure:
                failed += 1
                self.stdout.write(f"{verdict.case['name']}\n{verdict.failure}")
        self.stdout.write(f"{len(cases) - failed} passed, {failed} failed")
        if failed:
            raise SystemExit(1)

    def _with_one_end(self, cases: list[Case]) -> list[Case]:
        """Without those in which caches change, as in Kafka Streams too, with what they end."""
        comparable = [case for case in cases if has_one_end(case)]
        if len(comparable) < len(cases):
            self.stdout.write(f"{len(cases) - len(comparable)} left out: what they end with depends on the caches")
        return comparable


def _cases(file: Path) -> Iterator[Case]:
    try:
        yield from read_cases(file)
    except (OSError, ValueError) as error:
        raise CommandError(f"{file} holds no cases: {error}") from error


def _asked(cases: list[Case], level: Level, options: dict[str, Any]) -> Iterable[Verdict]:
    batches, seed = options["batches"], options["seed"]
    if options["on"] == "driver":
        kind = KernelDriver if options["engine"] == "kernel" else Driver
        yield from verdicts(cases, in_driver(level, batches, seed, kind), level)
        return
    with _kafka() as servers:
        yield from in_spark(cases, level, servers, batches or "one", seed)


@contextmanager
def _kafka() -> Iterator[str]:
    """A Kafka of the command's own, gone with it."""
    with ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="conformance-")))
        home.chmod(0o755)
        kafka = Kafka(home, JARS, is_passing=True)
        stack.enter_context(run_part(kafka))
        yield kafka.servers
