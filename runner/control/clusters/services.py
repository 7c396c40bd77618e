"""Registers, changes and removes clusters with their schema registries, and chooses one for a topology."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from django.conf import settings as django_settings
from django.contrib.auth.models import AbstractUser
from django.db import IntegrityError, transaction
from django.db.models import ProtectedError

from designer.projects.models import Topology
from designer.projects.permissions import find_projects_seen
from designer.refusals import Conflict, NotFound
from runner.control.clusters.connection import check_settings
from runner.control.clusters.models import Choice, Cluster
from runner.control.clusters.sealing import seal_secrets
from runner.kafka import SECRETS
from runner.registry import SECRETS as REGISTRY_SECRETS
from runner.registry import check_settings as check_registry

log = logging.getLogger(__name__)
LOCAL = "local"
"""The name of the cluster of KAFKA_BOOTSTRAP_SERVERS."""


class RegistryForm(NamedTuple):
    """How a cluster's schema registry is reached. Without `url` it has none. A secret that is None stays."""

    url: str = ""
    config: Mapping[str, str | None] = {}
    is_internal: bool = False


NO_REGISTRY = RegistryForm()


def get_local_cluster() -> Cluster:
    """The cluster of KAFKA_BOOTSTRAP_SERVERS and SCHEMA_REGISTRY_URL, kept up to date."""
    given: dict[str, str | bool] = {"bootstrap_servers": django_settings.KAFKA_BOOTSTRAP_SERVERS}
    if django_settings.SCHEMA_REGISTRY_URL:
        given |= {"registry_url": django_settings.SCHEMA_REGISTRY_URL, "is_registry_internal": True}
    cluster, _ = Cluster.objects.get_or_create(name=LOCAL, defaults=given)
    if changed := [name for name, value in given.items() if getattr(cluster, name) != value]:
        for name in changed:
            setattr(cluster, name, given[name])
        cluster.save(update_fields=changed)
    return cluster


def get_cluster(name: str | None) -> Cluster:
    """A cluster by its name, or the local one without a name. Raises NotFound."""
    local = get_local_cluster()
    if name is None or name == local.name:
        return local
    cluster = Cluster.objects.filter(name=name).first()
    if cluster is None:
        names = ", ".join(Cluster.objects.order_by("name").values_list("name", flat=True))
        raise NotFound(f"There is no cluster `{name}`.", f"Clusters: {names}.")
    return cluster


def create_cluster(
    *,
    name: str,
    servers: str,
    config: Mapping[str, str | None],
    by: AbstractUser,
    prefix: str = "",
    registry: RegistryForm = NO_REGISTRY,
    is_untested: bool = False,
) -> Cluster:
    """Register a cluster that answers, with its registry, or any if `is_untested`.

    Raises BadConnection, SettingNotAllowed, KafkaUnreachable, Conflict, and the refusals of `runner.registry`.
    """
    taken = Conflict(f"Cluster `{name}` already exists.", "Choose another name, or change that one.")
    if Cluster.objects.filter(name=name).exists():  # before the test, which would name the other cluster
        raise taken
    cluster = Cluster(name=name, prefix=prefix)
    _connect(cluster, servers, config, registry, is_untested)
    try:
        with transaction.atomic():
            cluster.save()
    except IntegrityError as error:
        raise taken from error
    log.info("%s registered cluster %s at %s", by, cluster, cluster.bootstrap_servers)
    return cluster


def change_cluster(
    *,
    cluster: Cluster,
    servers: str,
    config: Mapping[str, str | None],
    by: AbstractUser,
    prefix: str = "",
    registry: RegistryForm = NO_REGISTRY,
    is_untested: bool = False,
) -> Cluster:
    """Change the connection of a cluster. Runs use it from their next start. A secret that is None stays.

    A new prefix counts for jobs that are deployed for the first time. Raises what `create_cluster` does.
    """
    if cluster.name == LOCAL and servers != cluster.bootstrap_servers:
        raise Conflict(
            f"The address of `{LOCAL}` is the server's setting KAFKA_BOOTSTRAP_SERVERS.",
            "Change it there, or register another cluster.",
        )
    if cluster.name == LOCAL and django_settings.SCHEMA_REGISTRY_URL not in ("", registry.url):
        raise Conflict(
            f"The address of the registry of `{LOCAL}` is the server's setting SCHEMA_REGISTRY_URL.",
            "Change it there, or register another cluster.",
        )
    _connect(cluster, servers, config, registry, is_untested)
    cluster.prefix = prefix
    cluster.silent_since, cluster.silence = None, {}  # it was another connection that had no answer
    cluster.save()
    log.info("%s changed cluster %s at %s", by, cluster, cluster.bootstrap_servers)
    return cluster


def delete_cluster(*, cluster: Cluster, by: AbstractUser) -> None:
    """Forget a cluster without jobs. Nothing on it changes."""
    if cluster.name == LOCAL:
        raise Conflict(
            f"`{LOCAL}` is the cluster of KAFKA_BOOTSTRAP_SERVERS.", "Register other clusters instead of changing it."
        )
    try:
        cluster.delete()
    except ProtectedError as error:
        raise Conflict(
            f"Cluster `{cluster}` has jobs: {name_seen_by(by, error.protected_objects)}.", "Delete or move them first."
        ) from error
    log.info("%s removed cluster %s", by, cluster)


def name_seen_by(user: AbstractUser, jobs: Iterable[Any]) -> str:
    """Up to five jobs that use a cluster, by name, and how many the user has no role to see."""
    rows, visible = list(jobs), find_projects_seen(user)
    names = sorted({f"`{each}`" for each in rows if each.topology.project_id in visible})
    hidden = sum(each.topology.project_id not in visible for each in rows)
    return ", ".join([*names[:5], *([f"{hidden} in projects of others"] if hidden else [])])


def get_cluster_of(topology: Topology) -> Cluster:
    """The cluster of a topology: the chosen one, else the local one."""
    choice = Choice.objects.select_related("cluster").filter(topology=topology).first()
    return choice.cluster if choice else get_local_cluster()


def choose(*, topology: Topology, cluster: Cluster) -> None:
    """Draw a topology with this cluster's topics from now on. Deployed jobs stay in place."""
    Choice.objects.update_or_create(topology=topology, defaults={"cluster": cluster})


def choose_once(*, topology: Topology, cluster: Cluster) -> None:
    """Choose a cluster unless one is chosen already."""
    Choice.objects.get_or_create(topology=topology, defaults={"cluster": cluster})


def _connect(
    cluster: Cluster, servers: str, config: Mapping[str, str | None], registry: RegistryForm, is_untested: bool
) -> None:
    """Put the connections into `cluster` without saving it."""
    values, kept = _split(config, cluster.secrets)
    check_settings(servers, {**values, **dict.fromkeys(kept, "kept")})
    cluster.bootstrap_servers = re.sub(r"\s", "", servers)
    cluster.config = {name: text for name, text in values.items() if name not in SECRETS}
    cluster.secrets = kept | seal_secrets({name: text for name, text in values.items() if name in SECRETS})
    _connect_registry(cluster, registry)
    if not is_untested:
        cluster.connect().check()
        if cluster.registry_url:
            cluster.connect_registry().check()


def _connect_registry(cluster: Cluster, form: RegistryForm) -> None:
    values, kept = _split(form.config, cluster.registry_secrets) if form.url else ({}, {})
    if form.url:
        check_registry(form.url, {**values, **dict.fromkeys(kept, "kept")})
    cluster.registry_url = form.url
    cluster.is_registry_internal = form.is_internal
    cluster.registry_config = {name: text for name, text in values.items() if name not in REGISTRY_SECRETS}
    secrets = {name: text for name, text in values.items() if name in REGISTRY_SECRETS}
    cluster.registry_secrets = kept | seal_secrets(secrets)


def _split(config: Mapping[str, str | None], secrets: Mapping[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """The given values, and the sealed secrets that stay."""
    kept = {name: secrets[name] for name, text in config.items() if text is None and name in secrets}
    return {name: text for name, text in config.items() if text}, kept
