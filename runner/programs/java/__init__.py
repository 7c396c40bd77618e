"""Topologies as Maven projects for Kafka Streams: the frame around what the operators write (`runner.engine.java`)."""

from runner.programs.java.project import Note, Project, java_project

__all__ = ["Note", "Project", "java_project"]
