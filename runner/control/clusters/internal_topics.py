"""Topics that Kafka, Streamwright and Kafka Streams need as they are, and those that tell of all projects."""

from __future__ import annotations

from django.contrib.auth.models import AbstractUser

from designer.projects.permissions import RoleMissing, explain_lack, name_administrators
from designer.refusals import Refusal
from runner.control.clusters.permissions import CLUSTERS
from runner.control.codes import ControlCode
from runner.plan import MARKER_TOPIC

INTERNAL_ENDINGS = ("-changelog", "-repartition", "-redriven")


class OurTopic(Refusal):
    """A topic that only Kafka or Streamwright may write to."""

    code = ControlCode.TOPIC_INTERNAL
    status = 403


def is_internal(topic: str) -> bool:
    """Whether a topic is internal to Kafka, Streamwright or Kafka Streams."""
    return is_hidden(topic) or topic.endswith(INTERNAL_ENDINGS)


def is_hidden(topic: str) -> bool:
    """Whether the records of a topic tell of all projects: Kafka's own topics, and the markers of all jobs."""
    return topic.startswith("__") or topic.endswith(MARKER_TOPIC)


def refuse_internal(topic: str) -> None:
    """Raises OurTopic if Kafka, Streamwright or Kafka Streams depend on the topic."""
    if is_internal(topic):
        raise OurTopic(f"`{topic}` is an internal topic: other records in it would break a job.", "Choose another.")


def refuse_hidden_output(topic: str) -> None:
    """Raises Refusal if a job would write to one of Kafka's own topics or to the markers of jobs."""
    if is_hidden(topic):
        raise Refusal(f"`{topic}` is an internal topic: records of a job in it would break others.", "Choose another.")


def may_see_hidden(user: AbstractUser) -> bool:
    """Whether a user sees the topics of `is_hidden`: those who may change clusters do."""
    return not explain_lack(user, CLUSTERS)


def refuse_hidden(user: AbstractUser | None, topic: str) -> None:
    """Raises RoleMissing for a topic that the user may not see."""
    if is_hidden(topic) and (user is None or not may_see_hidden(user)):
        raise RoleMissing(
            f"`{topic}` is an internal topic with facts of all projects.", f"Ask {name_administrators()} about it."
        )
