"""Folds and windows of the aggregations, and one module for each way to keep aggregates."""
