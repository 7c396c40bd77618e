"""Topologies as Python: a builder in the manner of Kafka Streams' own, and the program that draws a given graph."""
