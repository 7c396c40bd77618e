"""Registering clusters over HTTP, with a broker that asks for a password."""

import dataclasses
import json
from typing import Any
from uuid import uuid4

import pytest
from confluent_kafka import Producer
from django.core.cache import cache
from django.db import connection
from django.db.models.functions import Now
from django.test import Client

from designer.projects.services import create_topology
from designer.topology.graph import Graph
from runner.control.clusters.models import Cluster
from runner.control.clusters.services import get_local_cluster
from runner.control.clusters.tasks import ask_whether_clusters_answer, look_at_certificates
from tests.designer.graphs import drawn, node
from tests.found.seeds import read_seed
from tests.guarded import CERTIFICATE_DAYS, Guarded
from tests.secured import CONFIG, PASSWORD
from webapp.accounts.models import User

WRONG = CONFIG | {"sasl.password": "guessed"}


def send(client: Client, method: str, path: str, body: Any = None) -> Any:
    return client.generic(method, f"/api/{path}", json.dumps(body or {}), "application/json")


def registered(client: Client, servers: str, **changed: Any) -> dict[str, Any]:
    answer = send(
        client, "POST", "clusters", {"name": "orders", "bootstrap_servers": servers, "config": CONFIG} | changed
    )
    assert answer.status_code == 201, answer.content
    found: dict[str, Any] = answer.json()
    return found


def listed(client: Client) -> dict[str, dict[str, Any]]:
    return {each["name"]: each for each in client.get("/api/clusters").json()["clusters"]}


@pytest.mark.usefixtures("redis_url")
def test_a_broker_tells_when_its_certificate_ends(guarded: Guarded, client: Client):
    registered(client, guarded.servers, name="guarded", config=guarded.config())

    assert [each["setting"] for each in listed(client)["guarded"]["certificates"]] == ["ssl.ca.pem"]
    look_at_certificates()
    shown = {each["setting"]: each["days"] for each in listed(client)["guarded"]["certificates"]}
    assert shown == {"ssl.ca.pem": CERTIFICATE_DAYS, f"broker {guarded.servers}": CERTIFICATE_DAYS}

    cache.clear()
    assert send(client, "POST", "clusters/guarded/check").status_code == 200
    assert len(listed(client)["guarded"]["certificates"]) == 2


@pytest.mark.usefixtures("impatience")
def test_a_cluster_that_is_away_says_since_when_and_what_to_do_until_it_answers(secured: str, client: Client):
    registered(client, secured)
    ask_whether_clusters_answer()
    assert listed(client)["orders"]["no_answer"] is None

    Cluster.objects.filter(name="orders").update(bootstrap_servers="127.0.0.1:1")
    ask_whether_clusters_answer()
    first = listed(client)["orders"]["no_answer"]
    assert send(client, "POST", "clusters/orders/check").status_code == 503
    assert listed(client)["orders"]["no_answer"] == first
    assert first["why"] == "Kafka does not answer at 127.0.0.1:1."
    assert "Start Kafka there" in first["hint"]

    change = {"bootstrap_servers": secured, "config": CONFIG | {"sasl.password": None}}
    assert send(client, "PUT", "clusters/orders", change).status_code == 200
    assert listed(client)["orders"]["no_answer"] is None
    Cluster.objects.filter(name="orders").update(silent_since=Now(), silence={"why": "", "hint": ""})
    assert send(client, "POST", "clusters/orders/check").status_code == 200
    assert listed(client)["orders"]["no_answer"] is None


def test_a_cluster_that_answers_is_registered_and_its_password_is_never_told(secured: str, client: Client):
    made = registered(client, secured)

    assert made["secrets"] == ["sasl.password"]
    assert made["config"]["sasl.username"] == "ada"
    assert PASSWORD not in str(listed(client))
    with connection.cursor() as cursor:
        cursor.execute("SELECT row_to_json(c)::text FROM clusters_cluster c WHERE name = 'orders'")
        assert PASSWORD not in cursor.fetchone()[0]
    assert client.get("/api/clusters/orders/topics").status_code == 200


@pytest.mark.usefixtures("impatience")
def test_a_wrong_password_is_told_in_kafkas_own_words_and_nothing_is_saved(secured: str, client: Client):
    refused = send(client, "POST", "clusters", {"name": "orders", "bootstrap_servers": secured, "config": WRONG})

    assert (refused.status_code, refused.json()["code"]) == (503, "kafka.unreachable")
    assert "Invalid username or password" in refused.json()["message"]
    assert "guessed" not in refused.content.decode()
    assert set(listed(client)) == {"local"}


def test_a_cluster_that_is_away_is_saved_when_the_user_says_so(client: Client, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("runner.kafka.cluster.ANSWER_SECONDS", 0.5)
    wanted = {"name": "away", "bootstrap_servers": "127.0.0.1:1", "is_untested": True}

    assert send(client, "POST", "clusters", wanted).status_code == 201
    assert send(client, "POST", "clusters/away/check").json()["message"] == "Kafka does not answer at 127.0.0.1:1."


def test_a_secret_that_is_not_given_anew_stays(secured: str, client: Client):
    registered(client, secured)
    change = {"bootstrap_servers": secured, "config": CONFIG | {"sasl.password": None, "client.id": "streamwright"}}

    changed = send(client, "PUT", "clusters/orders", change)

    assert changed.status_code == 200, changed.content
    assert changed.json()["config"]["client.id"] == "streamwright"
    assert Cluster.objects.get(name="orders").connect().settings["sasl.password"] == PASSWORD
    assert len(send(client, "POST", "clusters/orders/check").json()["addresses"]) == 1


@pytest.mark.usefixtures("impatience")
def test_a_change_that_does_not_answer_leaves_the_cluster_as_it_was(secured: str, client: Client):
    registered(client, secured)

    refused = send(client, "PUT", "clusters/orders", {"bootstrap_servers": secured, "config": WRONG})

    assert refused.status_code == 503
    assert Cluster.objects.get(name="orders").connect().settings["sasl.password"] == PASSWORD


def test_the_address_of_the_local_cluster_is_the_servers_to_give(client: Client, kafka_servers: str):
    refused = send(client, "PUT", "clusters/local", {"bootstrap_servers": "kafka:9092"})
    allowed = send(client, "PUT", "clusters/local", {"bootstrap_servers": kafka_servers})

    assert (refused.status_code, "KAFKA_BOOTSTRAP_SERVERS" in refused.json()["message"]) == (409, True)
    assert allowed.status_code == 200
    assert send(client, "DELETE", "clusters/local").status_code == 409


def test_only_who_may_changes_clusters_or_sees_how_they_are_reached(secured: str, client: Client, anybody: Client):
    registered(client, secured)

    seen = anybody.get("/api/clusters").json()
    refused = [
        send(anybody, "POST", "clusters", {"name": "mine", "bootstrap_servers": "10.0.0.1:22", "is_untested": True}),
        send(anybody, "PUT", "clusters/orders", {"bootstrap_servers": "10.0.0.1:22"}),
        send(anybody, "DELETE", "clusters/orders"),
    ]

    assert {answer.status_code for answer in refused} == {403}
    assert not seen["may_change"] and seen["why"].startswith("Only a product administrator can do this.")
    assert listed(anybody)["orders"]["config"] == {}
    assert anybody.get("/api/clusters/orders/topics").status_code == 200


def test_a_name_is_given_once(secured: str, client: Client):
    registered(client, secured)
    again = {"name": "orders", "bootstrap_servers": "127.0.0.1:9"}

    assert send(client, "POST", "clusters", again).json()["message"] == "Cluster `orders` already exists."


@pytest.mark.parametrize(
    ("path", "wrong", "message"),
    [
        ("clusters", {"name": ""}, "`name` is empty."),
        ("clusters", {"name": "x" * 65}, "`name` has more than 64 characters."),
        (
            "clusters",
            {"name": "Or ders!"},
            "`name` may contain lowercase letters, digits and hyphens, and begins with a letter or digit.",
        ),
        ("clusters", {"registry": {"url": "https://a b"}}, "`registry.url` must not contain spaces."),
        ("spark-clusters", {"executor_cores": 0}, "`executor_cores` must be 1 or more."),
        ("spark-clusters", {"executor_memory_mb": 2_000_000}, "`executor_memory_mb` must be 1,048,576 or less."),
        ("clusters/local/topics", {"name": "a b"}, "`name` may contain letters, digits, `.`, `_` and `-`."),
    ],
)
def test_a_value_beyond_its_limits_is_refused_in_words(client: Client, path: str, wrong: Any, message: str):
    body = {
        "clusters": {"name": "orders", "bootstrap_servers": "kafka:9092"},
        "spark-clusters": {"name": "blue", "master": "spark://blue:7077"},
        "clusters/local/topics": {"name": "orders"},
    }[path]

    refused = send(client, "POST", path, {**body, **wrong})

    assert (refused.status_code, refused.json()["message"]) == (422, message)
    assert refused.json()["hint"] == "Correct it, and try again."


def test_an_unused_cluster_is_forgotten(secured: str, client: Client):
    registered(client, secured)

    assert send(client, "DELETE", "clusters/orders").status_code == 204
    assert set(listed(client)) == {"local"}


@pytest.fixture
def topology(client: Client) -> str:
    made = create_topology(name="Orders", by=User.objects.get(username="ada"))
    return f"topologies/{made.id}/cluster"


def test_a_topology_is_drawn_with_the_local_cluster_until_another_is_chosen(client: Client, topology: str):
    Cluster.objects.create(name="orders", bootstrap_servers="127.0.0.1:1")
    before = client.get(f"/api/{topology}").json()

    chosen = send(client, "PUT", topology, {"cluster": "orders"})

    assert (before, chosen.json()) == ({"cluster": get_local_cluster().name}, {"cluster": "orders"})
    assert client.get(f"/api/{topology}").json() == {"cluster": "orders"}
    assert send(client, "PUT", topology, {"cluster": "nowhere"}).json()["hint"] == "Clusters: local, orders."


def test_unlikely_times_in_a_topic_are_an_issue_of_its_source(client: Client, kafka_servers: str):
    topic = f"orders-{uuid4().hex[:8]}"
    get_local_cluster().connect().create(topic, 1)
    producer = Producer({"bootstrap.servers": kafka_servers})
    producer.produce(topic, b'{"at": 1774656000}')
    assert producer.flush(10) == 0
    as_seconds = {"timestamp_from": "field", "timestamp_field": "at", "timestamp_unit": "s"}
    graph = drawn(
        "right > here",
        "wrong > there",
        right=node("stream", topic=topic, **as_seconds),
        wrong=node("stream", topic=topic, **as_seconds | {"timestamp_unit": "ms"}),
        here=node("to", topic="here"),
        there=node("to", topic="there"),
    )

    issues = send(client, "POST", "clusters/local/topic-issues", {"graph": graph.to_json()}).json()

    assert [(issue["code"], issue["node"], issue["field"]) for issue in issues] == [
        ("times.unlikely", "wrong", "timestamp_field")
    ]
    assert issues[0]["hint"].endswith("You can deploy it as it is.")


def test_records_that_a_source_cannot_decode_are_a_warning_with_the_right_format(client: Client, kafka_servers: str):
    topic = f"orders-{uuid4().hex[:8]}"
    get_local_cluster().connect().create(topic, 1)
    producer = Producer({"bootstrap.servers": kafka_servers})
    for text in ("1,north", "2,south"):
        producer.produce(topic, text)
    assert producer.flush(10) == 0
    graph = drawn(
        "wrong > here",
        "right > there",
        wrong=node("stream", topic=topic, value_format="json"),
        right=node("stream", topic=topic, value_format="string"),
        here=node("to", topic="here"),
        there=node("to", topic="there"),
    )

    (issue,) = send(client, "POST", "clusters/local/topic-issues", {"graph": graph.to_json()}).json()

    assert (issue["code"], issue["level"], issue["node"], issue["field"]) == (
        "records.undecoded",
        "warning",
        "wrong",
        "value_format",
    )
    assert issue["message"].startswith(f"2 of the newest 2 values of `{topic}` cannot be decoded as `json`.")
    assert issue["fix"]["replacement"] == "string"


def test_topics_that_the_cluster_lacks_or_cannot_create_are_issues(client: Client, kafka_servers: str):
    there = f"shop.orders-{uuid4().hex[:8]}"
    get_local_cluster().connect().create(there, 1)
    graph = drawn(
        "orders > copy",
        "missing > other",
        "matched > created",
        orders=node("stream", topic=there),
        missing=node("stream", topic="nowhere"),
        matched=node("stream", pattern="nothing-like-it"),
        copy=node("to", topic=there.replace(".", "_")),
        other=node("to", topic="elsewhere", create_if_missing=False),
        created=node("to", topic="created"),
    )

    issues = send(client, "POST", "clusters/local/topic-issues", {"graph": graph.to_json()}).json()
    refused = send(client, "POST", "clusters/local/topics", {"name": there.replace(".", "_")}).json()

    assert [(issue["code"], issue["node"], issue["field"]) for issue in issues] == [
        ("topic.missing", "missing", "topic"),
        ("pattern.without_topic", "matched", "pattern"),
        ("topic.collides_on_cluster", "copy", "topic"),
        ("topic.not_created", "other", "topic"),
    ]
    assert "it treats `.` and `_` alike" in refused["message"]


@pytest.mark.parametrize(
    ("settings", "hints"),
    [
        ({"cleanup.policy": "delete", "retention.ms": "604800000"}, ["7 days"]),
        ({"cleanup.policy": "compact,delete", "retention.ms": "5400000"}, ["90 minutes"]),
        ({"cleanup.policy": "compact"}, []),
        ({"cleanup.policy": "delete", "retention.ms": "-1"}, []),
    ],
    ids=["deleted", "compacted and deleted", "compacted", "kept"],
)
def test_a_table_whose_topic_loses_rows_is_a_hint(client: Client, settings: dict[str, str], hints: list[str]):
    graph = read_seed("table-of-a-topic-that-is-not-compacted")
    orders, customers = (f"{name}-{uuid4().hex[:8]}" for name in ("orders", "customers"))
    for name in (orders, customers):
        get_local_cluster().connect().create(name, 1, settings if name == customers else {"cleanup.policy": "compact"})
    graph = replace_topics(graph, {"orders": orders, "customers": customers})

    found = send(client, "POST", "clusters/local/topic-issues", {"graph": graph.to_json()}).json()

    assert [(each["code"], each["level"], each["node"], each["args"]["age"]) for each in found] == [
        ("table.forgets", "hint", "customers", age) for age in hints
    ]


def replace_topics(graph: Graph, names: dict[str, str]) -> Graph:
    nodes = (
        dataclasses.replace(each, config={**each.config, "topic": names.get(str(topic), topic)})
        if (topic := each.config.get("topic"))
        else each
        for each in graph.nodes
    )
    return Graph(tuple(nodes), graph.edges)
