"""Topologies and records with which somebody found a fault, as they came: one JSON file each, with the records beside
it (`.jsonl`) or as test cases inside."""
