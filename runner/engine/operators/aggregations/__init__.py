"""What the aggregations share: folds, windows, and one module for each way to keep aggregates."""
