"""Parts of operators of several families: shapes of values and keys, derived tables, log lines, buffers, code."""
