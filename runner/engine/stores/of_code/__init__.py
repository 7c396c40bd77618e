"""The stores that users' code reads and writes."""
