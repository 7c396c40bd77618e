"""Breakpoints that stop nothing, as Postgres knows them. `runner/watch/past/breakpoints.py` looks for them."""
