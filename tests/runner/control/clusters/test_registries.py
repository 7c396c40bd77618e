"""Schema registries of clusters over HTTP."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from runner.control.clusters.models import Cluster
from runner.control.clusters.services import get_local_cluster
from runner.registry import RegistryMissing
from tests.gate import Gate, open_gate

PASSWORD = "canary-of-hopper"


def send(client: Client, method: str, path: str, body: Any = None) -> Any:
    return client.generic(method, f"/api/{path}", json.dumps(body or {}), "application/json")


def local(servers: str, url: str, **registry: Any) -> dict[str, Any]:
    return {"bootstrap_servers": servers, "registry": {"url": url, "is_internal": True, **registry}}


def test_a_registry_belongs_to_a_cluster_and_its_check_says_what_it_allows(
    client: Client, kafka_servers: str, registry_url: str
):
    saved = send(client, "PUT", "clusters/local", local(kafka_servers, registry_url))
    checked = send(client, "POST", "clusters/local/registry/check")

    assert saved.status_code == 200, saved.content
    assert saved.json()["registry"] == {"url": registry_url, "config": {}, "secrets": [], "is_internal": True}
    assert {name: checked.json()[name] for name in ("may_read", "may_list", "may_register")} == {
        "may_read": True,
        "may_list": True,
        "may_register": True,
    }
    removed = send(client, "PUT", "clusters/local", {"bootstrap_servers": kafka_servers})
    assert removed.json()["registry"] is None
    assert send(client, "POST", "clusters/local/registry/check").json()["code"] == "registry.missing"


def test_a_password_of_a_registry_is_sealed_never_told_and_stays(
    client: Client, anybody: Client, kafka_servers: str, registry_url: str, tmp_path: Path
):
    with open_gate(Gate(registry_url, password=f"ada:{PASSWORD}"), tmp_path) as (gate, _, _):
        config = {"basic.auth.user": "ada", "basic.auth.password": PASSWORD}
        saved = send(client, "PUT", "clusters/local", local(kafka_servers, gate.address, config=config))
        kept = {"basic.auth.user": "ada", "basic.auth.password": None}
        again = send(client, "PUT", "clusters/local", local(kafka_servers, gate.address, config=kept))

        assert (saved.status_code, again.status_code) == (200, 200), (saved.content, again.content)
        assert again.json()["registry"]["secrets"] == ["basic.auth.password"]
        seen = anybody.get("/api/clusters").json()["clusters"][0]["registry"]
        assert (seen["url"], seen["config"], seen["secrets"]) == (gate.address, {}, [])
        with connection.cursor() as cursor:
            cursor.execute("SELECT row_to_json(c)::text FROM clusters_cluster c")
            assert PASSWORD not in str(cursor.fetchall())
        assert Cluster.objects.get(name="local").connect_registry().config["basic.auth.password"] == PASSWORD
        wrong = {"basic.auth.user": "ada", "basic.auth.password": "guessed"}
        refused = send(client, "PUT", "clusters/local", local(kafka_servers, gate.address, config=wrong))
        assert (refused.status_code, refused.json()["code"]) == (403, "registry.not_allowed")


def test_an_internal_address_is_refused_until_it_is_confirmed(client: Client, kafka_servers: str, registry_url: str):
    wanted = local(kafka_servers, registry_url, is_internal=False)

    refused = send(client, "PUT", "clusters/local", wanted)

    assert (refused.status_code, refused.json()["code"]) == (422, "address.refused")
    assert get_local_cluster().registry_url == ""


def test_a_registry_that_is_away_is_saved_when_the_user_says_so(client: Client, kafka_servers: str):
    wanted = local(kafka_servers, "http://127.0.0.1:1")

    assert send(client, "PUT", "clusters/local", wanted).json()["code"] == "registry.unreachable"
    assert send(client, "PUT", "clusters/local", wanted | {"is_untested": True}).status_code == 200
    assert send(client, "POST", "clusters/local/registry/check").json()["code"] == "registry.unreachable"


def test_the_servers_variable_names_the_registry_of_the_local_cluster(
    client: Client, kafka_servers: str, registry_url: str, settings: Any
):
    with pytest.raises(RegistryMissing):
        get_local_cluster().connect_registry()
    settings.SCHEMA_REGISTRY_URL = registry_url

    assert get_local_cluster().connect_registry().check().may_read
    refused = send(client, "PUT", "clusters/local", local(kafka_servers, "http://127.0.0.1:1"))
    assert (refused.status_code, "SCHEMA_REGISTRY_URL" in refused.json()["message"]) == (409, True)
