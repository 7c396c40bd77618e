"""The engine: runs a topology record by record as a Kafka Streams task does. It knows no Kafka, Spark or Django."""

from runner.engine.globals import Globals
from runner.engine.layout import Layout
from runner.engine.merge import merge
from runner.engine.options import Options
from runner.engine.planning import layout
from runner.engine.records import Emit, Row
from runner.engine.state import MemoryState, State
from runner.engine.task import Task

__all__ = ["Emit", "Globals", "Layout", "MemoryState", "Options", "Row", "State", "Task", "layout", "merge"]
