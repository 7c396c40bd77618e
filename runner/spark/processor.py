"""What Spark calls for each slot of a stateful stage.

The driver starts a Python of its own for each stage to ask for the state variables, so nothing heavy is imported here
before there are rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pyspark.sql.streaming.stateful_processor import StatefulProcessor

from runner.spark.failures import carrying
from runner.spark.state.changelog import Changelog
from runner.spark.state.entries import Entries


class StageProcessor(StatefulProcessor):
    """Runs one slot a call. `plan_json` names the program, `depth` the stage."""

    def __init__(self, plan_json: bytes, depth: int) -> None:
        self.plan_json = plan_json
        self.depth = depth

    def init(self, handle: Any) -> None:
        """Declares what holds the slots' changelogs."""
        self.entries = Entries(handle)

    def handleInitialState(self, key: Any, initialState: Any, timerValues: Any) -> None:
        """Puts some rows of an older epoch into the slot, before its first batch."""
        from runner.spark.seed_rows import read_rows
        from runner.spark.state import seed

        seed(self._changelog(key), read_rows(initialState["rows"]))

    def handleInputRows(self, key: Any, rows: Any, timerValues: Any) -> Iterator[Any]:
        """Takes the packs of a slot and gives those that go on."""
        from runner.spark.rows import Pack
        from runner.spark.stage import pass_on_and_process

        packs = (Pack(*row) for row in rows)
        with carrying():
            yield from pass_on_and_process(self._changelog(key), self.plan_json, self.depth, key[0], packs)

    def _changelog(self, key: tuple[int]) -> Changelog:
        self.entries.begin(key[0])
        return Changelog(self.entries)

    def close(self) -> None:
        """Nothing is kept between calls."""
