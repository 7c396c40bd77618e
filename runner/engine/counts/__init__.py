"""Counts the outcomes of records, with a reason for each drop."""
