"""What operators of several families share: shapes of values and keys, derived tables, log lines, buffers, code."""
