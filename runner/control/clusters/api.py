"""Clusters over HTTP: the list, their connections, their topics, and the cluster of a topology."""

from __future__ import annotations

from django.http import HttpRequest
from ninja import Status

from designer.issues import IssueOut
from designer.projects.permissions import explain_lack, find_projects_seen
from designer.projects.requests import get_topology, get_user
from designer.projects.roles import EDITOR, OPERATOR, VIEWER
from designer.projects.routing import Router
from designer.refusals import Conflict, Refusal
from designer.streams.topics import name_metrics
from designer.topology.graph import Graph
from runner.control.clusters import services, spark
from runner.control.clusters.answering import note_answer
from runner.control.clusters.certificates import look_at_brokers
from runner.control.clusters.internal_topics import is_hidden, may_see_hidden, refuse_hidden
from runner.control.clusters.models import Cluster, SparkCluster
from runner.control.clusters.permissions import CLUSTERS
from runner.control.clusters.quotas import refuse_above
from runner.control.clusters.schemas import (
    AccessOut,
    BrokersOut,
    ChosenCluster,
    ClusterIn,
    ClusterOut,
    ClustersOut,
    ConnectionIn,
    DescriptionOut,
    GraphIn,
    ProbeOut,
    SparkClusterIn,
    SparkClusterOut,
    SparkClustersOut,
    SparkConnectionIn,
    TopicIn,
    TopicOut,
    TopicSchemaOut,
)
from runner.control.clusters.topic_checks import find_topic_issues
from runner.control.clusters.topic_schemas import Side, find_topic_schemas
from runner.control.codes import ControlCode
from runner.kafka import BrokerError, NotAllowed, describe_topology

router = Router(tags=["clusters"])


@router.get("/clusters", needs=VIEWER.anywhere, response=ClustersOut, summary="The Kafka clusters jobs can run on")
def list_clusters(request: HttpRequest) -> ClustersOut:
    services.get_local_cluster()
    user = get_user(request)
    why, visible_ids = explain_lack(user, CLUSTERS), find_projects_seen(user)
    clusters = Cluster.objects.prefetch_related("jobs__topology").order_by("name")
    answers = [ClusterOut.of(each, visible_ids=visible_ids, is_whole=not why) for each in clusters]
    return ClustersOut(clusters=answers, may_change=not why, why=why)


@router.post(
    "/clusters",
    needs=CLUSTERS,
    audit="add a Kafka cluster",
    refuses=[ControlCode.CLUSTER_SECRET_LOST],
    response={201: ClusterOut},
    summary="Register a cluster if it answers",
)
def create_cluster(request: HttpRequest, body: ClusterIn) -> Status[ClusterOut]:
    cluster = services.create_cluster(
        name=body.name,
        servers=body.bootstrap_servers,
        config=body.config,
        by=get_user(request),
        prefix=body.prefix,
        registry=body.registry.to_form(),
        is_untested=body.is_untested,
    )
    return Status(201, ClusterOut.of(cluster, visible_ids=find_projects_seen(get_user(request))))


@router.put(
    "/clusters/{name}",
    needs=CLUSTERS,
    audit="change a Kafka cluster",
    refuses=[ControlCode.CLUSTER_SECRET_LOST],
    response=ClusterOut,
    summary="Change how a cluster is reached; runs use it from their next start",
)
def change_cluster(request: HttpRequest, name: str, body: ConnectionIn) -> ClusterOut:
    cluster = services.change_cluster(
        cluster=services.get_cluster(name),
        servers=body.bootstrap_servers,
        config=body.config,
        by=get_user(request),
        prefix=body.prefix,
        registry=body.registry.to_form(),
        is_untested=body.is_untested,
    )
    return ClusterOut.of(cluster, visible_ids=find_projects_seen(get_user(request)))


@router.delete(
    "/clusters/{name}",
    needs=CLUSTERS,
    audit="delete a Kafka cluster",
    response={204: None},
    summary="Remove a cluster that no job uses",
)
def delete_cluster(request: HttpRequest, name: str) -> Status[None]:
    services.delete_cluster(cluster=services.get_cluster(name), by=get_user(request))
    return Status(204, None)


@router.post(
    "/clusters/{name}/check",
    needs=VIEWER.anywhere,
    response=BrokersOut,
    summary="Check that a cluster answers, and list its brokers",
)
def check_cluster(request: HttpRequest, name: str) -> BrokersOut:
    cluster = services.get_cluster(name)
    try:
        brokers = cluster.connect().check()
    except Refusal as refusal:
        note_answer(cluster, refusal)
        raise
    note_answer(cluster, None)
    look_at_brokers(cluster)
    return BrokersOut.of(brokers)


@router.post(
    "/clusters/{name}/registry/check",
    needs=VIEWER.anywhere,
    refuses=[ControlCode.CLUSTER_SECRET_LOST],
    response=AccessOut,
    summary="Check that a cluster's schema registry answers, and what it lets its user do; registers nothing",
)
def check_registry(request: HttpRequest, name: str) -> AccessOut:
    return AccessOut.of(services.get_cluster(name).connect_registry().check())


@router.get(
    "/clusters/{name}/topics/{topic}/schemas",
    needs=VIEWER.anywhere,
    refuses=[ControlCode.CLUSTER_SECRET_LOST],
    response=list[TopicSchemaOut],
    summary="The schemas of a topic in the cluster's registry: of its newest records, else by its name",
)
def list_topic_schemas(
    request: HttpRequest, name: str, topic: str, key_subject: str = "", value_subject: str = ""
) -> list[TopicSchemaOut]:
    """A named subject gives its newest schema instead, if it exists."""
    refuse_hidden(get_user(request), topic)
    cluster = services.get_cluster(name)
    registry = cluster.connect_registry()
    try:
        messages = cluster.connect().sample(topic)
    except NotAllowed:  # as of a topic that a job only writes to
        messages = []
    subjects: dict[Side, str] = {"key": key_subject, "value": value_subject}
    return [TopicSchemaOut.of(each) for each in find_topic_schemas(registry, topic, messages, subjects)]


@router.get(
    "/clusters/{name}/topics", needs=VIEWER.anywhere, response=list[TopicOut], summary="The topics of a cluster"
)
def list_topics(request: HttpRequest, name: str) -> list[TopicOut]:
    topics, is_all_seen = services.get_cluster(name).connect().topics(), may_see_hidden(get_user(request))
    return [TopicOut.of(topic) for topic in topics if is_all_seen or not is_hidden(topic.name)]


@router.get(
    "/clusters/{name}/topology-description",
    needs=EDITOR.anywhere,
    refuses=[ControlCode.CLUSTER_SECRET_LOST],
    response=DescriptionOut,
    summary="What Topology.describe() prints for a Kafka Streams application, if the brokers keep it (KIP-1331)",
)
def describe_application(request: HttpRequest, name: str, application: str) -> DescriptionOut:
    try:
        return DescriptionOut(description=describe_topology(services.get_cluster(name).connect(), application))
    except BrokerError as error:
        raise Refusal(str(error), "See the broker's log for the reason.") from error


@router.post(
    "/clusters/{name}/topics",
    needs=OPERATOR.anywhere,
    audit="create a topic",
    refuses=[ControlCode.QUOTA_EXCEEDED],
    response={201: TopicOut},
    summary="Create a topic",
)
def create_topic(request: HttpRequest, name: str, body: TopicIn) -> Status[TopicOut]:
    refuse_hidden(get_user(request), body.name)  # the markers of jobs are lost in a topic that deletes old records
    connection = services.get_cluster(name).connect()
    there = connection.topic_names()
    if body.name in there:
        raise Conflict(f"Topic `{body.name}` exists already.", "Choose it from the list, or use another name.")
    if other := next((each for each in there if name_metrics(each) == name_metrics(body.name)), None):
        raise Conflict(
            f"Kafka cannot create `{body.name}` beside `{other}`: it treats `.` and `_` alike.", "Use another name."
        )
    refuse_above("MAX_PARTITIONS", body.partitions)
    topic = connection.create(
        body.name, body.partitions, {"cleanup.policy": body.cleanup}, replication=body.replication
    )
    return Status(201, TopicOut.of(topic))


@router.post(
    "/clusters/{name}/topic-issues",
    needs=VIEWER.anywhere,
    response=list[IssueOut],
    summary="What is wrong with a graph's topics on this cluster: missing ones, names that collide, unlikely times",
)
def list_topic_issues(request: HttpRequest, name: str, body: GraphIn) -> list[IssueOut]:
    connection = services.get_cluster(name).connect()
    return [issue.to_json() for issue in find_topic_issues(Graph.from_json(body.graph), connection)]


@router.get(
    "/spark-clusters",
    needs=VIEWER.anywhere,
    response=SparkClustersOut,
    summary="The Spark clusters that jobs can run on",
)
def list_spark_clusters(request: HttpRequest) -> SparkClustersOut:
    user = get_user(request)
    default, whole, visible_ids = spark.find_default_spark(), not explain_lack(user, CLUSTERS), find_projects_seen(user)
    clusters = SparkCluster.objects.prefetch_related("jobs__topology").order_by("name")
    answers = [SparkClusterOut.of(each, visible_ids=visible_ids, is_whole=whole) for each in clusters]
    return SparkClustersOut(clusters=answers, default=default.name if default else "")


@router.post(
    "/spark-clusters",
    needs=CLUSTERS,
    audit="add a Spark cluster",
    refuses=[
        ControlCode.CLUSTER_SECRET_LOST,
        ControlCode.SPARK_BAD_CLUSTER,
        ControlCode.SPARK_NO_SHARED_FOLDER,
        ControlCode.SPARK_UNFIT,
    ],
    response={201: SparkClusterOut},
    summary="Register a Spark cluster that passes a test",
)
def create_spark_cluster(request: HttpRequest, body: SparkClusterIn) -> Status[SparkClusterOut]:
    cluster = spark.create_spark(
        name=body.name, form=body.to_wanted(), by=get_user(request), is_untested=body.is_untested
    )
    return Status(201, SparkClusterOut.of(cluster, visible_ids=find_projects_seen(get_user(request))))


@router.put(
    "/spark-clusters/{name}",
    needs=CLUSTERS,
    audit="change a Spark cluster",
    refuses=[
        ControlCode.CLUSTER_SECRET_LOST,
        ControlCode.SPARK_BAD_CLUSTER,
        ControlCode.SPARK_NO_SHARED_FOLDER,
        ControlCode.SPARK_UNFIT,
    ],
    response=SparkClusterOut,
    summary="Change a Spark cluster; runs use it from their next start",
)
def change_spark_cluster(request: HttpRequest, name: str, body: SparkConnectionIn) -> SparkClusterOut:
    cluster = spark.change_spark(
        cluster=spark.find_cluster(name),
        form=body.to_wanted(),
        by=get_user(request),
        is_untested=body.is_untested,
    )
    return SparkClusterOut.of(cluster, visible_ids=find_projects_seen(get_user(request)))


@router.delete(
    "/spark-clusters/{name}",
    needs=CLUSTERS,
    audit="delete a Spark cluster",
    response={204: None},
    summary="Remove a Spark cluster that no job uses",
)
def delete_spark_cluster(request: HttpRequest, name: str) -> Status[None]:
    spark.delete_spark(cluster=spark.find_cluster(name), by=get_user(request))
    return Status(204, None)


@router.post(
    "/spark-clusters/{name}/check",
    needs=OPERATOR.anywhere.asking,
    refuses=[ControlCode.CLUSTER_SECRET_LOST, ControlCode.SPARK_NO_SHARED_FOLDER],
    response=ProbeOut,
    summary="Run a small job on a Spark cluster, and say what it found",
)
def check_spark_cluster(request: HttpRequest, name: str) -> ProbeOut:
    return ProbeOut.of(spark.probe(spark.find_cluster(name)))


@router.get(
    "/topologies/{topology_id}/cluster", needs=VIEWER, response=ChosenCluster, summary="Get the cluster of a topology"
)
def cluster_of(request: HttpRequest, topology_id: int) -> ChosenCluster:
    return ChosenCluster(cluster=services.get_cluster_of(get_topology(topology_id)).name)


@router.put(
    "/topologies/{topology_id}/cluster",
    needs=EDITOR,
    audit="choose a cluster",
    response=ChosenCluster,
    summary="Choose the cluster of a topology",
)
def choose(request: HttpRequest, topology_id: int, body: ChosenCluster) -> ChosenCluster:
    cluster = services.get_cluster(body.cluster)
    services.choose(topology=get_topology(topology_id), cluster=cluster)
    return ChosenCluster(cluster=cluster.name)
