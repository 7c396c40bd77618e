"""The form of the joins, and one module for each kind."""
