"""The commands that exist twice: on the server (`manage.py deploy`) and from another machine (`streamwright --url …`).

Both have the same help and arguments, which are here. They differ in how they act: those on the server need Postgres
and no web server, the others only HTTP and a token (`webapp.remote`).
"""

from __future__ import annotations

import math
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import orjson


@dataclass(frozen=True)
class Shared:
    """The help of a command, and what adds its arguments."""

    help: str
    add_arguments: Callable[[ArgumentParser], None] = lambda parser: None


def _add_job(parser: ArgumentParser) -> None:
    parser.add_argument("job", help="Name of a job.")


def _add_topology(parser: ArgumentParser) -> None:
    parser.add_argument("topology", help="Slug, name or id of a topology. On the server also an exported .json file.")


def _add_cluster(parser: ArgumentParser) -> None:
    parser.add_argument("--cluster", help="Name of the Kafka cluster. Default: that of the job or topology.")


def read_amount(text: str) -> float:
    """
    >>> read_amount("1.5")
    1.5
    """
    try:
        amount = float(text)
    except ValueError:
        amount = math.nan
    if not 0 <= amount < math.inf:
        raise ArgumentTypeError(f"`{text}` is not an amount. Write a number such as 10 or 0.5.")
    return amount


def _add_for_status(parser: ArgumentParser) -> None:
    parser.add_argument("job", nargs="?", help="Name of a job.")


def _add_for_watch(parser: ArgumentParser) -> None:
    _add_job(parser)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="End after this many seconds.")


def _add_for_why(parser: ArgumentParser) -> None:
    _add_job(parser)
    parser.add_argument("node", help="Id of a node, as the canvas shows it.")


def _add_for_describe(parser: ArgumentParser) -> None:
    _add_topology(parser)
    _add_cluster(parser)


def _add_for_diff(parser: ArgumentParser) -> None:
    _add_topology(parser)
    parser.add_argument("before", help="Number of the earlier version.")
    parser.add_argument("after", nargs="?", default="draft", help="Number of the later one. Default: the draft.")


def read_setting(text: str) -> tuple[str, Any]:
    """`tasks=4` is a number, `cache=false` a boolean, anything else text.

    >>> read_setting("tasks=4"), read_setting("start=latest")
    (('tasks', 4), ('start', 'latest'))
    """
    name, equals, value = text.partition("=")
    if not equals:
        raise ArgumentTypeError(f"`{text}` has no value. Write --set name=value.")
    try:
        return name, orjson.loads(value)
    except orjson.JSONDecodeError:
        return name, value


def _add_name_and_settings(parser: ArgumentParser) -> None:
    parser.add_argument("--name", default="", help="Name of the job. Default: the topology's slug.")
    parser.add_argument(
        "--set",
        action="append",
        type=read_setting,
        default=[],
        metavar="SETTING=VALUE",
        help="A setting of the job. May be repeated.",
    )


def _add_place(parser: ArgumentParser) -> None:
    _add_cluster(parser)
    parser.add_argument("--spark", help="Name of the Spark cluster; '' for the host of an agent.")


def _add_for_deploy(parser: ArgumentParser) -> None:
    _add_topology(parser)
    _add_name_and_settings(parser)
    parser.add_argument(
        "--version-number",
        metavar="NUMBER",
        help="Deploy this version of the topology instead of its draft, for example to go back to an earlier one.",
    )
    parser.add_argument("--message", default="", help="What this version changes, for the list of versions.")
    _add_place(parser)
    _add_on_state(parser)
    parser.add_argument("--preview", action="store_true", help="Show what a deploy would do, without deploying.")


def _add_on_state(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--on-state",
        choices=("keep", "fresh_from_earliest", "fresh_from_now", "skip_lost", "repair", "rebuild"),
        help="What to do where state, offsets or a checkpoint cannot be kept. Default: refuse to deploy, unless an "
        "earlier deploy that has not begun yet says it.",
    )


def _add_for_adopt(parser: ArgumentParser) -> None:
    _add_topology(parser)
    parser.add_argument("application", help="The `application.id` of the Kafka Streams application.")
    parser.add_argument(
        "--store",
        action="append",
        type=read_store,
        default=[],
        metavar="STORE=TOPIC",
        help="The changelog topic of a store of the drawing, or the name of the application's store. May be repeated.",
    )
    _add_name_and_settings(parser)
    _add_place(parser)
    parser.add_argument(
        "--check",
        action="store_true",
        help="Only look at the application. The exit code is 1 if it cannot be adopted as it is now.",
    )
    parser.add_argument(
        "--compare",
        action="store_true",
        help="Only process the application's input, and compare the last value of each key with its output topics. "
        "Nothing is written. The exit code is 1 if some differ.",
    )
    parser.add_argument(
        "--live",
        type=read_amount,
        default=0.0,
        metavar="SECONDS",
        help="With --compare: compare what the running application reads in so many seconds (at most 120), from the "
        "state in its changelog topics.",
    )


def read_store(text: str) -> tuple[str, str]:
    """
    >>> read_store("counts=word-counts")
    ('counts', 'word-counts')
    """
    store, equals, topic = text.partition("=")
    if not equals or not store or not topic:
        raise ArgumentTypeError(f"`{text}` does not name a store and its topic. Write --store store=topic.")
    return store, topic


def _add_for_cut_over(parser: ArgumentParser) -> None:
    _add_job(parser)
    _add_on_state(parser)


def _add_for_back(parser: ArgumentParser) -> None:
    _add_job(parser)
    parser.add_argument("--at-once", action="store_true", help="Do not read the records since the cut over first.")
    parser.add_argument("--preview", action="store_true", help="Show what each way does, without going back.")


def _add_for_correct(parser: ArgumentParser) -> None:
    _add_job(parser)
    parser.add_argument("--from-batch", type=int, metavar="N", help="Prepare corrections of the results since batch N.")
    parser.add_argument("--topic", default="", help="Topic for corrections of streams.")
    parser.add_argument(
        "--table",
        action="append",
        metavar="TOPIC",
        help="Of this topic, the newest value of a key counts. Default: topics that take the updates of a table.",
    )
    parser.add_argument("--send", action="store_true", help="Send what was prepared. The job must be stopped.")
    parser.add_argument(
        "--take-over",
        action="store_true",
        help="Let the right version continue with the corrected state, once the corrections are sent.",
    )


def _add_for_case(parser: ArgumentParser) -> None:
    _add_job(parser)
    parser.add_argument("name", help="Name of the test case.")
    parser.add_argument(
        "record",
        nargs="*",
        type=read_record,
        metavar="TOPIC-PARTITION@OFFSET",
        help="A record that the job has read or written, such as orders-3@18811.",
    )
    parser.add_argument("--batch", type=int, metavar="N", help="A pinned batch, or the batch that read the records.")


def read_record(text: str) -> dict[str, str | int]:
    """
    >>> read_record("new-orders-3@18811")
    {'topic': 'new-orders', 'partition': 3, 'offset': 18811}
    """
    place, _, offset = text.rpartition("@")
    topic, _, partition = place.rpartition("-")
    if not topic or not partition.isdecimal() or not offset.isdecimal():
        raise ArgumentTypeError(f"`{text}` names no record. Write topic-partition@offset, such as orders-3@18811.")
    return {"topic": topic, "partition": int(partition), "offset": int(offset)}


SHARED: Mapping[str, Shared] = {
    "status": Shared(
        "Show the status of all jobs. With a name, show the numbers of each node of that job.", _add_for_status
    ),
    "alerts": Shared("Show the alerts that fire, or are about to."),
    "watch": Shared("Show a job's live numbers, a line for each change, until Ctrl-C.", _add_for_watch),
    "why": Shared("Say why nothing comes out of a node of a job, from its live numbers and its state.", _add_for_why),
    "describe": Shared(
        "Print the sub-topologies, shuffles, stores and topics of a topology, like Topology#describe of Kafka Streams.",
        _add_for_describe,
    ),
    "diff": Shared(
        "Print the differences between two versions of a topology. Nothing if there are none.", _add_for_diff
    ),
    "try": Shared("Run the test cases of a topology's draft. The exit code is 1 if one fails.", _add_topology),
    "deploy": Shared("Deploy a topology's draft, or one of its versions, as a job.", _add_for_deploy),
    "adopt": Shared(
        "Let a topology's draft continue a Kafka Streams application: at its committed offsets, with the state of its "
        "changelog topics. All instances of the application must be stopped.",
        _add_for_adopt,
    ),
    "cut-over": Shared(
        "Let the version of a job's newest proof take over at the border of a batch. The state of the version before "
        "it is kept for a day.",
        _add_for_cut_over,
    ),
    "back": Shared(
        "Let the version before the last cut over take over again. It first reads the records since the cut over, "
        "without writing results.",
        _add_for_back,
    ),
    "correct": Shared(
        "Work out what corrects the results that a job has sent since a batch, if the draft is right. Nothing is sent "
        "without --send. Without options, show the newest correction.",
        _add_for_correct,
    ),
    "case": Shared(
        "Make a test case of records in a job's topics, or of a pinned batch. It adds the fewest older records with "
        "which they give the same results, and expects what the running version gives.",
        _add_for_case,
    ),
    "stop": Shared(
        "Stop a job after its current batch. When you deploy it again, no record is lost or repeated.", _add_job
    ),
}
