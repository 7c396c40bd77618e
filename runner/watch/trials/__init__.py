"""Trials: what a graph makes of real records, before anything is deployed."""
