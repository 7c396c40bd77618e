"""Counts the fates of records, with a reason for each drop."""
