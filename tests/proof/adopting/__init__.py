"""Kafka Streams applications as people write them (`Programs.java`), and their drawings."""
