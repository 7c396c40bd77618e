"""Topologies as Maven projects for Kafka Streams. Begin with `project.py`, which writes one.

- `operators`: the function that writes each operator. `registry` finds it, `writer` is what it writes into.
- `program`, `serdes`, `layout`: the class that holds their code, formats as Kafka's serdes, and its lines.
- `testing`: test cases as JUnit tests. `frames` and `support` are files of the project.
"""

from runner.export.java.project import Note, Project, make_java_project

__all__ = ["Note", "Project", "make_java_project"]
