"""Counts what happened to each record, with a reason for each drop."""
