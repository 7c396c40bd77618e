"""Folds and windows of aggregations, and one module for each way to keep aggregates."""
