"""Django's backend for Postgres with a pool that survives a restart of Postgres: `base.py`. Only the server uses it."""
