"""The processor that Spark calls for each slot of a stateful operator.

The driver starts its own Python for each operator to ask for the state variables. So nothing heavy is imported
here before there are rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from pyspark.sql.streaming.stateful_processor import StatefulProcessor

from runner.spark.executors.left_open import Ports
from runner.spark.failures import carry_failures
from runner.spark.private import get_ports
from runner.spark.state.changelog import Changelog
from runner.spark.state.entries import ChangelogEntries, EntryVariable, make_head_key


class StageProcessor(StatefulProcessor):
    """Runs one slot per call, stage by stage. `plan_json` holds the program, `depths` its stages.

    `on_connection` gets each connection for state (`runner.spark.executors.left_open`).
    """

    def __init__(
        self, plan_json: bytes, depths: Sequence[int], on_connection: Callable[[Ports], object] | None = None
    ) -> None:
        self.plan_json = plan_json
        self.depths = depths
        self.on_connection = on_connection

    def init(self, handle: Any) -> None:
        """Declares the variable that holds the changelogs."""
        self.variable = EntryVariable(handle)
        if self.on_connection:
            self.on_connection(get_ports(self.variable.client))

    def handleInitialState(self, key: Any, initialState: Any, timerValues: Any) -> None:
        """Puts a chunk of an older epoch's rows into a changelog, before the first batch of its slot."""
        from runner.spark.stage.seed_rows import find_head_key, read_rows
        from runner.spark.state import write_rows

        self.variable.key = key[0]
        write_rows(self._get_changelog(find_head_key(key[0])), read_rows(initialState["rows"]))

    def handleInputRows(self, key: Any, rows: Any, timerValues: Any) -> Iterator[Any]:
        """Takes the packs of a slot and returns those that continue."""
        from runner.spark.stage.newer import take_newer
        from runner.spark.stage.rows import Pack
        from runner.spark.stage.stage import pass_on_and_process

        self.variable.key = slot = key[0]
        packs = take_newer(Pack(*row) for row in rows)
        for stage, depth in enumerate(self.depths):
            packs = pass_on_and_process(
                self._get_changelog(make_head_key(slot, stage)), self.plan_json, depth, slot, packs
            )
        with carry_failures():
            yield from packs

    def _get_changelog(self, key: int) -> Changelog:
        return Changelog(ChangelogEntries(self.variable, key))

    def close(self) -> None:
        """Nothing is kept between calls."""
