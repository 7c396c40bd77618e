"""Topics of a cluster, the records in them, and what people change and write there."""
