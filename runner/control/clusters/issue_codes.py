"""The codes of problems that only show on a cluster."""

from designer.messages import SharedIssueCode


class ClusterIssueCode(SharedIssueCode):
    """The codes of problems that only show on a cluster."""

    TOPIC_COLLIDES_ON_CLUSTER = (
        "topic.collides_on_cluster",
        "Kafka cannot create `{topic}` beside `{other}`: it treats `.` and `_` alike.",
        "Choose another name.",
    )
    TOPIC_MISSING = (
        "topic.missing",
        "Topic `{topic}` does not exist on cluster `{cluster}`.",
        "Create the topic, or choose another one.",
    )
    TOPIC_NOT_READABLE = (
        "topic.not_readable",
        "The Kafka user of cluster `{cluster}` may not read `{topic}`.",
        "Grant Read on the topic: More, Kafka ACLs lists all that the job needs.",
    )
    TOPIC_NOT_CREATED = (
        "topic.not_created",
        "Topic `{topic}` does not exist on cluster `{cluster}`, and this node is not allowed to create it.",
        "Create the topic, or turn on `create_if_missing` in the node.",
    )
    TABLE_FORGETS = (
        "table.forgets",
        "Kafka deletes records of `{topic}` when they are older than {age}. A table that is read again lacks these "
        "rows.",
        "Set `cleanup.policy` of the topic to `compact`, so that Kafka keeps the newest row of each key.",
        "hint",
    )
    PATTERN_WITHOUT_TOPIC = (
        "pattern.without_topic",
        "No topic on cluster `{cluster}` matches the pattern.",
        "Create a topic that matches, or change the pattern.",
    )
    TIMES_UNLIKELY = (
        "times.unlikely",
        "{unlikely} of {times} times in the newest records of `{topic}` are unlikely. For example, {time} is {when}.",
        "{cure} You can deploy it as it is.",
        "warning",
    )
    RECORDS_UNDECODED = (
        "records.undecoded",
        "{undecoded} of the newest {present} {side}s of `{topic}` cannot be decoded as `{format}`. {problem}",
        (
            "Choose `{better}`, which fits them. As it is, the job cannot use these records.",
            "They begin with {beginning}: choose `avro`, `protobuf` or `json_schema`, or a schema that the registry "
            "has for the topic. As it is, the job cannot use these records.",
            "Choose the format in which they are written. As it is, the job cannot use these records.",
        ),
        "warning",
    )
