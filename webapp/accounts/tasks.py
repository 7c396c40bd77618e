"""Periodic tasks of Celery."""

from __future__ import annotations

from celery import shared_task
from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore

from designer.projects import audit


@shared_task(name="accounts.prune_audit", ignore_result=True, acks_late=False)
def delete_old_audit() -> None:
    """Forget entries of the audit after their retention."""
    audit.delete_old_entries(settings.AUDIT_DAYS)


@shared_task(name="accounts.prune_sessions", ignore_result=True, acks_late=False)
def delete_old_sessions() -> None:
    """Forget sign-ins that have expired: Django removes none by itself."""
    SessionStore.clear_expired()
