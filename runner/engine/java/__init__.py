"""Topologies as Java for Kafka Streams: what each operator writes itself with, in its own `java(place)`."""

from designer.expressions.java import NotInJava
from runner.engine.java.place import RECORD, JavaPlace, MakesJava
from runner.engine.java.program import JavaClass

__all__ = ["RECORD", "JavaClass", "JavaPlace", "MakesJava", "NotInJava"]
