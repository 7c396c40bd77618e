"""Needs of requests that change clusters, hosts and topics, which belong to no project."""

from __future__ import annotations

from dataclasses import replace

from designer.projects.roles import ADMINISTRATOR, PRODUCT

CLUSTERS = replace(PRODUCT, permission="clusters.manage_clusters")
"""The permission `manage.py allow_clusters` is also enough."""
TOPICS = replace(ADMINISTRATOR.anywhere, permission=CLUSTERS.permission)
"""`runner.watch.topics.uses.refuse_change` then asks which jobs use the topic."""
