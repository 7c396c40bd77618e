"""The engine: runs a topology record by record as a Kafka Streams task does. It knows no Kafka, Spark or Django."""

from runner.engine.planning.lay_out import layout
from runner.engine.planning.layout import Layout
from runner.engine.planning.options import Options
from runner.engine.records.merge import merge
from runner.engine.records.record import Emit, Row
from runner.engine.stores.state import MemoryState, State
from runner.engine.tasks.globals import Globals
from runner.engine.tasks.task import Task

__all__ = ["Emit", "Globals", "Layout", "MemoryState", "Options", "Row", "State", "Task", "layout", "merge"]
