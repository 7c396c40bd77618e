"""Topologies as Java for Kafka Streams. Each operator writes itself in its own `java(place)`.

It imports the rest of the engine and `designer.expressions.java`. Begin with `place.py`, into which operators write.

- `program`: the class that holds the code of operators.
- `serdes`: formats as Kafka's serdes.

`runner/programs/java` makes a Maven project of it.
"""

from designer.expressions.java import NotInJava
from runner.engine.java.program import JavaClass
from runner.engine.java.writer import RECORD, JavaWriter, MakesJava

__all__ = ["RECORD", "JavaClass", "JavaWriter", "MakesJava", "NotInJava"]
