"""The stores that code of users reads and writes."""
