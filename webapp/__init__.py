"""Settings, addresses, accounts: what holds designer and runner together. No domain logic."""

from webapp.celery import app as celery_app

__all__ = ["celery_app"]
