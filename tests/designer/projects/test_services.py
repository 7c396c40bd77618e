"""What the services promise beyond one request at a time."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection, transaction

from designer.projects import services
from designer.projects.models import Draft, Revision, Topology, Version
from designer.refusals import Conflict, NotFound
from designer.topology.graph import Graph, Position
from runner.control.clusters.models import Cluster
from runner.control.jobs.models import Job
from tests.designer.graphs import drawn, node
from tests.patience import PATIENCE_SECONDS, wait_until
from tests.people import person

pytestmark = pytest.mark.django_db


def graph(topic: str) -> Any:
    return drawn(it=node("stream", topic=topic)).to_json()


def at_once(number: int, work: Any) -> list[Any]:
    """What `work` gives or raises in each of so many threads."""

    def one(index: int) -> Any:
        try:
            return work(index)
        except Exception as error:
            return error
        finally:
            connection.close()

    with ThreadPoolExecutor(number) as pool:
        return list(pool.map(one, range(number)))


@pytest.mark.django_db(transaction=True)
def test_of_several_saves_on_one_revision_one_wins() -> None:
    topology = services.create_topology(name="Busy", by=None)

    given = at_once(
        4, lambda index: services.save_draft(topology=topology, graph=graph(f"t{index}"), revision=1, by=None)
    )

    winners = [each for each in given if isinstance(each, Draft)]
    losers = [each for each in given if isinstance(each, Conflict)]
    assert (len(winners), len(losers)) == (1, 3)
    assert all(loser.details["theirs"] == winners[0].graph for loser in losers)


@pytest.mark.django_db(transaction=True)
def test_a_topology_is_deleted_while_its_draft_is_saved() -> None:
    """The delete knows nothing of the new revision until the save has ended."""
    topology = services.create_topology(name="Busy", by=None)
    is_saved = threading.Event()

    def save() -> None:
        with transaction.atomic():
            services.save_draft(topology=topology, graph=graph("t"), revision=1, by=None)
            is_saved.set()
            wait_until(_someone_waits)

    def delete() -> None:
        is_saved.wait(PATIENCE_SECONDS)
        services.delete_topology(topology=Topology.objects.get(id=topology.id))

    assert at_once(2, lambda index: (save, delete)[index]()) == [None, None]
    assert not Topology.objects.exists()
    with pytest.raises(NotFound, match="`Busy` was deleted"):
        services.save_draft(topology=topology, graph=graph("late"), revision=2, by=None)


def _someone_waits() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
        return bool(cursor.fetchone()[0])


@pytest.mark.django_db(transaction=True)
def test_versions_saved_at_once_have_numbers_of_their_own() -> None:
    topology = services.create_topology(name="Busy", by=None)

    at_once(4, lambda index: services.create_version(topology=topology, by=None, note=f"note {index}"))

    assert sorted(Version.objects.values_list("number", flat=True)) == [1, 2, 3, 4]


@pytest.mark.django_db(transaction=True)
def test_topologies_made_at_once_have_slugs_of_their_own() -> None:
    at_once(4, lambda index: services.create_topology(name="Busy", by=None))

    assert sorted(Topology.objects.values_list("slug", flat=True)) == ["busy", "busy-2", "busy-3", "busy-4"]


def test_old_revisions_are_forgotten_and_then_a_conflict_has_no_base() -> None:
    topology = services.create_topology(name="Long", by=None)
    for revision in range(1, services.KEPT_REVISIONS + 1):
        services.save_draft(topology=topology, graph=graph(f"t{revision}"), revision=revision, by=None)

    with pytest.raises(Conflict) as conflict:
        services.save_draft(topology=topology, graph=graph("late"), revision=1, by=None)

    assert Revision.objects.count() == services.KEPT_REVISIONS
    assert conflict.value.details["base"] is None


def test_a_draft_keeps_its_schemas_unless_others_are_given() -> None:
    held = {
        "key": {"format": "string", "type": {"kind": "string"}},
        "value": {"format": "long", "type": {"kind": "integer"}},
    }
    topology = services.create_topology(name="Sampled", by=None, graph=graph("a"), schemas={"it": held})

    services.save_draft(topology=topology, graph=graph("b"), revision=1, by=None)

    assert Draft.objects.get().read_schemas()["it"].value.format == "long"


def test_a_topology_that_a_job_runs_is_not_deleted() -> None:
    user = person("ada")
    topology = services.create_topology(name="Deployed", by=user)
    version = services.create_version(topology=topology, by=user)
    cluster, _ = Cluster.objects.get_or_create(name="test", defaults={"bootstrap_servers": "127.0.0.1:1"})
    Job.objects.create(
        name="deployed",
        application_id="deployed",
        topology=topology,
        version=version,
        cluster=cluster,
        created_by=user,
        updated_by=user,
    )

    with pytest.raises(Conflict, match="`Deployed` is still used by deployed"):
        services.delete_topology(topology=topology)

    assert Topology.objects.count() == 1


def test_a_name_without_latin_letters_gets_a_slug_too() -> None:
    made = [services.create_topology(name=name, by=None).slug for name in ("流れ", "---", "Flüge 2013")]

    assert made == ["topology", "topology-2", "fluge-2013"]


def test_the_slug_follows_the_name_until_it_is_fixed() -> None:
    services.create_topology(name="Orders", by=None)
    topology = services.create_topology(name="untitled", by=None)

    services.rename_topology(topology=topology, name="Orders")
    followed = topology.slug
    services.set_slug(topology=topology)
    services.rename_topology(topology=topology, name="Returns")

    assert (followed, Topology.objects.get(id=topology.id).slug) == ("orders-2", "orders-2")


def test_renaming_to_the_same_words_keeps_the_slug() -> None:
    topology = services.create_topology(name="Orders", by=None)

    services.rename_topology(topology=topology, name="orders!")

    assert topology.slug == "orders"


def test_a_chosen_slug_is_free_and_is_chosen_once() -> None:
    services.create_topology(name="Orders", by=None)
    topology = services.create_topology(name="untitled", by=None)

    with pytest.raises(Conflict, match="Another topology has the id `orders`"):
        services.set_slug(topology=topology, slug="orders")
    services.set_slug(topology=topology, slug="orders-eu")
    with pytest.raises(Conflict, match="The id of `untitled` is fixed as `orders-eu`"):
        services.set_slug(topology=topology, slug="orders-us")

    assert Topology.objects.get(id=topology.id).slug == "orders-eu"


def test_graphs_are_kept_in_one_written_form() -> None:
    topology = services.create_topology(name="Short", by=None, graph={"nodes": [{"id": "a", "operator": "stream"}]})

    assert topology.draft.graph == Graph.from_json({"nodes": [{"id": "a", "operator": "stream"}]}).to_json()


def test_nodes_without_a_position_are_placed() -> None:
    nodes: list[dict[str, Any]] = [{"id": name, "operator": "peek"} for name in ("a", "b")]
    edges = [{"source": "a", "source_port": "result", "target": "b", "target_port": "stream"}]
    nodes[0]["position"] = {"x": 40, "y": 8}

    topology = services.create_topology(name="Placed", by=person("ann"), graph={"nodes": nodes, "edges": edges})

    first, second = topology.draft.read_graph().nodes
    assert first.position == Position(40, 8)
    assert second.position.x > 0
