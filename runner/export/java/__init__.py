"""Topologies as Maven projects for Kafka Streams: the frame around the operators' Java (`runner.engine.java`)."""

from runner.export.java.project import Note, Project, make_java_project

__all__ = ["Note", "Project", "make_java_project"]
