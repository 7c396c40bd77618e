"""The catalogue of messages: what can be wrong with a graph, by code. Every sentence stands here once.

A translation needs this file only. `{name}` stands for an argument. An argument may be words of its own, such as
pydantic's reason or the types of a port in a row.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from string import Formatter

Argument = str | int | None
"""A name, a number or words; None where there is none, so that another wording of the message is taken."""
Arguments = Mapping[str, Argument]
Wordings = tuple[str, ...]
"""Ways to word a sentence; the first whose arguments are all given is used."""

_FILL_IN = ("Fill it in: {help}", "Correct it.")


class IssueCode(StrEnum):
    """What is wrong, as a code; with it what a user reads, and the next step."""

    message: Wordings
    hint: Wordings

    def __new__(cls, code: str, message: str | Wordings, hint: str | Wordings) -> IssueCode:
        made = str.__new__(cls, code)
        made._value_ = code
        made.message = (message,) if isinstance(message, str) else message
        made.hint = (hint,) if isinstance(hint, str) else hint
        return made

    CHECK_REFUSED = ("check.refused", "{text}", "{next_step}")
    """The page's own: the server refused to check the graph."""

    # nodes and their forms
    OPERATOR_UNKNOWN = (
        "operator.unknown",
        "There is no operator `{operator}`.",
        ("Did you mean `{meant}`?", "Choose one of {operators}."),
    )
    BYPASS_PORTS = (
        "bypass.ports",
        "`{node}` cannot be bypassed: {operator} has not just one input and one output.",
        "Switch the bypass off, or remove the node.",
    )
    NODE_UNUSED = (
        "node.unused",
        "No node reads the output of `{node}`, so it has no effect.",
        (
            "Draw an edge from it, or remove it, or name its {store} to keep its state.",
            "Draw an edge from it, or remove it.",
        ),
    )
    FIELD_MISSING = (
        "field.missing",
        ("`{field}` is empty, but {needed_by} it.", "`{field}` is empty."),
        _FILL_IN,
    )
    FIELD_UNKNOWN = (
        "field.unknown",
        ("A row of `{row}` has no field `{field}`.", "{operator} has no field `{field}`."),
        ("Did you mean `{meant}`?", "Remove it; the fields are {fields}."),
    )
    FIELD_INVALID = ("field.invalid", "`{field}` is {given}; expected {expected}.", _FILL_IN)
    FIELD_UNUSED = (
        "field.unused",
        "`{field}` is not read while `{other}` is {chosen}.",
        "Empty it, or choose {choices} as `{other}`.",
    )
    NAME_TWICE = ("name.twice", "The field `{name}` is defined twice.", "Rename one.")
    EXPRESSION_WRONG = ("expression.wrong", "{text}", "{next_step}")
    EXPRESSION_UNFED = (
        "expression.unfed",
        "What arrives at `{node}` is not known yet.",
        "Fix the problems before this node.",
    )
    EXPRESSION_TOO_LARGE = (
        "expression.too_large",
        "The result has too many fields to be passed on.",
        "Take fewer.",
    )
    EXPRESSION_MISSING = (
        "expression.missing",
        "{function} needs an expression.",
        "Name a field or write an expression.",
    )

    # ports and edges
    PORT_UNKNOWN = (
        "port.unknown",
        "An edge names the {kind} `{port}`, which {operator} does not have.",
        (
            "Its {kind}s are {ports}. Remove the edge or draw it again.",
            "It has no {kind}s. Remove the edge or draw it again.",
        ),
    )
    PORT_TYPE = (
        "port.type",
        "A {given} cannot go into {operator}: its `{port}` port takes {takes}.",
        ("{between}", "Draw an edge from {takes} into it."),
    )
    PORT_PAIR = ("port.pair", "{operator} does not take {types}.", "It takes {pairs}.")
    PORT_UNCONNECTED = (
        "port.unconnected",
        "Nothing feeds the `{port}` port.",
        "Draw an edge from {takes} into `{port}`.",
    )
    PORT_FED_TWICE = (
        "port.fed_twice",
        "{edges} edges feed the `{port}` port, which accepts one.",
        "Keep one edge, and remove the others.",
    )
    EDGE_FED_TWICE = (
        "edge.fed_twice",
        "The `{port}` port of `{node}` takes one edge, and `{other}` already feeds it.",
        "Remove that edge first.",
    )
    EDGE_DRAWN = (
        "edge.drawn",
        "`{source}` already feeds the `{port}` port of `{node}`.",
        "One edge carries every record.",
    )
    EDGE_CYCLE = (
        "edge.cycle",
        "Records from `{node}` already reach `{source}`: this edge would make a loop.",
        "Write to a topic and read that topic as a source.",
    )
    GRAPH_CYCLE = (
        "graph.cycle",
        "The edges from `{node}` lead back to it, so records would circulate for ever.",
        "Remove an edge of the cycle, or write to a topic and read that topic as a source.",
    )
    GRAPH_NO_SINK = (
        "graph.no_sink",
        "The topology does not write to a topic.",
        "Add a `to` node and draw an edge into it.",
    )

    # topics
    TOPIC_NAME = ("topic.name", "Kafka has no topic called `{topic}`.", "Name a topic.")
    TOPIC_READ_TWICE = (
        "topic.read_twice",
        "The topic `{topic}` has already been registered by another source, `{node}`.",
        "Draw a second edge from `{node}`, and remove this node.",
    )
    TOPIC_COLLIDES = (
        "topic.collides",
        "Kafka cannot keep both topics `{topic}` and `{other}`: it treats `.` and `_` alike.",
        "Rename one of them.",
    )
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
    TOPIC_NOT_CREATED = (
        "topic.not_created",
        "Topic `{topic}` does not exist on cluster `{cluster}`, and this node is not allowed to create it.",
        "Create the topic, or turn on `create_if_missing` in the node.",
    )
    TOPIC_BOTH = ("topic.both", "Both `topic` and `topic_expression` are given.", "Empty one of them.")
    TOPICS_MISSING = (
        "topics.missing",
        "`topics` is empty, so the expression cannot name a topic.",
        "List every topic that the expression may name. Each must exist when the job is deployed.",
    )
    TOPICS_UNUSED = (
        "topics.unused",
        "`topics` is only for a `topic_expression`.",
        "Empty `topics`, or write a `topic_expression` that chooses among them.",
    )
    PATTERN_WRONG = (
        "pattern.wrong",
        "`{pattern}` cannot be used: {why}.",
        "Write one such as orders-.* for all topics that begin with orders-.",
    )
    PATTERN_AND_NAMES = ("pattern.and_names", "Both names of topics and a `pattern` are given.", "Empty one.")
    PATTERN_WITHOUT_TOPIC = (
        "pattern.without_topic",
        "No topic on cluster `{cluster}` matches the pattern.",
        "Create a topic that matches, or change the pattern.",
    )

    # times
    START_UNKNOWN = (
        "start.unknown",
        "`start` is `{start}`; expected `earliest`, `latest` or a time.",
        "Write a time as 2026-01-31T08:00:00Z or in milliseconds since 1970.",
    )
    START_SECONDS = (
        "start.seconds",
        "`start` is `{start}`, a number too small for milliseconds.",
        "This looks like seconds; times are milliseconds since 1970, or ISO 8601 such as 2026-01-31T08:00:00Z.",
    )
    TIMESTAMP_FIELD_MISSING = (
        "timestamp_field.missing",
        "`timestamp_field` is empty.",
        "Name a field or write an expression.",
    )
    TIMES_UNLIKELY = (
        "times.unlikely",
        "{unlikely} of {times} times in the newest records of `{topic}` are unlikely. For example, {time} is {when}.",
        "{cure} You can deploy it as it is.",
    )
    ZONE_UNKNOWN = (
        "zone.unknown",
        "`{zone}` is not a time zone of the IANA database.",
        ("Did you mean `{meant}`?", "Write one such as Europe/Copenhagen."),
    )

    # types and formats
    TYPE_TOO_LARGE = (
        "type.too_large",
        "The type of the {side} that leaves `{node}` has {size:,} characters and {depth} levels; at most "
        "{max_size:,} characters and {max_depth} levels are allowed.",
        "Keep fewer fields, and do not repeat a value inside itself.",
    )
    TYPE_MALFORMED = ("type.malformed", "This is not a type.", 'Write {{"kind": …}} with one of {kinds}.')
    TYPE_DECIMAL = (
        "type.decimal",
        "A decimal has a precision from 1 to {max_precision} and a scale from 0 to its precision.",
        "Correct `precision` and `scale`, or remove them if the kind is not decimal.",
    )
    TYPE_FIELDS = ("type.fields", "Only a struct has fields, not a {kind}.", "Make it a struct.")
    TYPE_FIELD_UNNAMED = ("type.field_unnamed", "A field of this type has no name.", "Name it.")
    TYPE_FIELD_TWICE = ("type.field_twice", "This type has the field `{field}` twice.", "Remove one.")
    FORMAT_MISFIT = (
        "format.misfit",
        "The format {format} needs {wanted}, but the type is {type}.",
        "Choose {fitting} or json, or change the type.",
    )
    KEY_FORMAT_UNUSED = (
        "key_format.unused",
        "A windowed key is written as JSON, not as {format}, while `windowed_key` is json.",
        "Empty it, or choose kafka or key as `windowed_key` for a key written as {format}.",
    )
    KEY_FORMAT_WITHOUT_KEY = (
        "key_format.without_key",
        "`key_format` sets the format of new keys, but without `key` there are none.",
        "Empty it, or write `key`.",
    )
    AVRO_SCHEMA = ("avro.schema", "{text}", "{next_step}")
    AVRO_SCHEMA_MISSING = (
        "avro.schema_missing",
        "The format avro needs a schema, but the schema is empty.",
        "Paste it into `{field}`, or choose {fitting}. Inside a topology json works as well.",
    )
    AVRO_MISFIT = (
        "avro.misfit",
        (
            "The Avro schema needs {wanted} for `{field}`, but the value has {given}.",
            "The Avro schema needs {wanted}, but the value has {given}.",
        ),
        "Shape the value to have the schema's fields (map_values), correct the schema, or choose json.",
    )
    AVRO_NO_ID = (
        "avro.no_id",
        "Each {side} names its schema by an id (Confluent's header), but this source has no id.",
        "Write the id of `{side}_schema` into `{side}_schema_id`, and add each other id that producers use to "
        "`{side}_writer_schemas`.",
    )
    AVRO_ID_MISSING = (
        "avro.id_missing",
        "Confluent's header names the {side}'s schema by its id, but the id is empty.",
        "Fill in `{side}_schema_id` with its id in the schema registry.",
    )
    AVRO_ID_TWICE = (
        "avro.id_twice",
        "Another schema of this source also has the id {id}.",
        "Correct the id, or remove the row.",
    )
    AVRO_WRITER_UNLIKE = (
        "avro.writer_unlike",
        "A {side} of the schema {id} cannot be read with `{side}_schema`: {why}.",
        "In `{side}_schema`, give a field a default if it is not always written. If it had another name, add that "
        "name as an alias.",
    )

    # values and keys
    VALUE_BOTH = ("value.both", "Both `value` and `fields` are given.", "Empty one of them.")
    VALUE_NONE = ("value.none", "This node computes no new value.", "Fill in `value` or `fields`.")
    VALUE_OF_STREAM = (
        "value.of_stream",
        "Groups of a KStream keep the records unchanged. Only groups of a KTable can have a new value.",
        "Empty `value`, `fields` and `keep`, and put map_values before.",
    )
    KEEP_NO_FIELDS = (
        "keep.no_fields",
        "`keep` needs a value with fields, but the arriving value is {type}.",
        "Turn `keep` off, and name every field.",
    )
    BRANCH_DEFAULT = (
        "branch.default",
        "`default` is the output for records that match no branch.",
        "Rename the branch.",
    )
    MERGE_KEYS = (
        "merge.keys",
        "The keys of the streams differ: {first} in the first, {other} in another.",
        "Put a select_key with a cast in front of one.",
    )
    MERGE_WINDOWS = (
        "merge.windows",
        "The windows of the streams' keys differ: {first} in the first, {other} in another.",
        "Give each stream a plain key by select_key.",
    )

    # tables and stores
    STORE_OF_STREAM = (
        "store.of_stream",
        "Only a KTable can have a store, but here a KStream arrives.",
        "Empty `store`.",
    )
    STORE_NAMED_TWICE = (
        "store.named_twice",
        "`{node}` already has a store called `{store}`.",
        "Give this store another name.",
    )
    STORE_TWICE = ("store.twice", "There are two stores called `{store}`.", "Rename one.")
    STORE_RETENTION = (
        "store.retention",
        "Windows of {size} ms are kept {retention} ms.",
        "Keep them for at least {size} ms.",
    )
    TABLE_TTL = (
        "table.ttl",
        "A table that keeps old values cannot have a time to live.",
        "Empty `ttl_ms` or `history_ms`.",
    )

    # windows
    WINDOW_ADVANCE = (
        "window.advance",
        "Windows of {size} ms that start every {advance} ms leave gaps between windows.",
        "Advance by at most {size} ms.",
    )
    WINDOW_RETENTION = (
        "window.retention",
        "Windows are kept {retention} ms, but records may change them for {least} ms.",
        "Keep them for at least {least} ms.",
    )
    WINDOW_UNLIMITED = (
        "window.unlimited",
        "An unlimited window never closes, so it can never emit on close.",
        "Emit on update.",
    )
    WINDOW_EMIT = (
        "window.emit",
        "Cogrouped windows cannot be emitted on close: Kafka Streams has no emitStrategy for them.",
        "Emit on update, and put suppress with window_close after the aggregate.",
    )
    SUPPRESS_NEVER = (
        "suppress.never",
        "This suppress never forwards an update: it has no time limit and no size that makes the buffer emit early.",
        "Set `wait_ms`, or set `max_records` or `max_bytes` with emit_early.",
    )
    SUPPRESS_NO_WINDOW = (
        "suppress.no_window",
        "The keys of this table have no windows, so no window can close.",
        "Use until time_limit.",
    )
    SUPPRESS_EARLY = (
        "suppress.early",
        "With window_close results must be final, so the buffer cannot emit early.",
        "Use shut_down.",
    )
    SUPPRESS_VERSIONED = (
        "suppress.versioned",
        "A versioned table cannot be suppressed, as in Kafka Streams.",
        "Empty `history_ms` of the table, or name the store of a table between them.",
    )

    # aggregates
    AGGREGATE_BOTH = ("aggregate.both", "Both `functions` and `{field}` are given.", "Empty one of them.")
    AGGREGATE_NONE = (
        "aggregate.none",
        "This aggregate computes nothing.",
        "Add a function, or set `init` and `add`.",
    )
    AGGREGATE_NO_INIT = ("aggregate.no_init", "`{field}` needs a value before the first record.", "Set `init`.")
    AGGREGATE_TYPE = (
        "aggregate.type",
        "{function} needs {wanted}, but `{text}` is {type}.",
        "Cast it, or choose another field or function.",
    )
    AGGREGATE_TTL = (
        "aggregate.ttl",
        "A {type} arrives, whose rows cannot have a time to live. Windows end by themselves, and groups of a KTable "
        "follow its rows.",
        "Empty `ttl_ms`. For windows set `retention_ms` of windowed_by, for rows `ttl_ms` of their table.",
    )
    AGGREGATE_COGROUPED = (
        "aggregate.cogrouped",
        "The cogroup node has an `add` for each input, so `{field}` has no use here.",
        "Empty `{field}`, and fill in `init`. Write each `add` in the cogroup node.",
    )
    N_MISSING = ("n.missing", "{function} needs the number of values to keep, `n`.", "Give `n`.")
    N_UNNEEDED = ("n.unneeded", "{function} does not use `n`.", "Empty `n`.")
    ORDER_BY_UNNEEDED = (
        "order_by.unneeded",
        "{function} does not use `order_by`.",
        "Empty `order_by`, or choose top_n.",
    )
    ADD_MISSING = (
        "add.missing",
        "`add` is empty, so a record cannot change the value.",
        "Fill in `add`, for example `agg + 1`.",
    )
    SUBTRACT_MISSING = (
        "subtract.missing",
        "A row of a KTable leaves its group when it changes, but `subtract` is empty. Its value would stay in the "
        "aggregate.",
        "Fill in `subtract`, the reverse of `add`: `agg - amount` for `agg + amount`.",
    )
    SUBTRACT_UNNEEDED = (
        "subtract.unneeded",
        "Only a KGroupedTable uses `subtract`, but here a {type} arrives.",
        "Empty `subtract`.",
    )
    MERGE_MISSING = (
        "merge.missing",
        "A record between two sessions merges them, but `merge` is empty, so their aggregates cannot merge.",
        "Fill in `merge` with `agg` and `other`, the two aggregates: `agg + other` for a sum.",
    )
    MERGE_UNNEEDED = (
        "merge.unneeded",
        "Only sessions merge, but here a {type} arrives.",
        "Empty `merge`, or use session windows.",
    )
    COGROUP_WINDOWED = (
        "cogroup.windowed",
        "The keys of `{windowed}` are windowed, those of `{plain}` are not, so their records would never match.",
        "Put group_by before `{windowed}`; it gives plain keys.",
    )
    COGROUP_WINDOWS = (
        "cogroup.windows",
        "The keys of `{first}` and `{other}` have different windows, so their records would never match.",
        "Give both the same windows, or put group_by before both.",
    )
    COGROUP_KEYS = (
        "cogroup.keys",
        "The keys of `{first}` are {first_type}, those of `{other}` {other_type}, so their records would never match.",
        "Put group_by with a cast before `{other}`.",
    )
    COGROUP_FORMATS = (
        "cogroup.formats",
        "The keys of `{first}` are written as {first_format}, those of `{other}` as {other_format}, so their records "
        "would never match.",
        "Put group_by with the key format {first_format} before `{other}`.",
    )

    # joins
    JOIN_OF_STREAM = (
        "join.of_stream",
        "`{field}` is for a join of two KTables, but here a KStream arrives.",
        "Empty `{field}`.",
    )
    JOIN_KEY_OF_STREAM = (
        "join.key_of_stream",
        "Two KStreams are joined by their own keys; `key` is for a GlobalKTable.",
        "Empty `key` and put select_key before the join.",
    )
    JOIN_KEY_OF_TABLE = (
        "join.key_of_table",
        "A KTable is looked up by the key of the stream's record; `key` is for a GlobalKTable.",
        "Empty `key` and put select_key before the join, or read the table with global_table.",
    )
    JOIN_KEY_OF_TABLES = (
        "join.key_of_tables",
        "Two KTables are joined by their own keys; `key` is for a GlobalKTable.",
        "Use `foreign_key` instead.",
    )
    JOIN_WINDOW = (
        "join.window",
        "`{field}` is empty, so the join has no time window.",
        "Enter how many milliseconds {side} the left record the right one may be.",
    )
    JOIN_WINDOW_NEGATIVE = (
        "join.window_negative",
        "The window ends before it begins: `before_ms` and `after_ms` add up to less than 0.",
        "Make one of them larger.",
    )
    JOIN_GRACE = (
        "join.grace",
        "With `grace_ms` records wait for late rows, and the table must keep old rows at least as long.",
        "Give the table on the right a history of {grace} ms or more, or empty `grace_ms`.",
    )
    JOIN_STREAMS_WINDOWED = (
        "join.streams_windowed",
        "Only one side of the join has windowed keys, so no records would match.",
        "Give that side a plain key by select_key.",
    )
    JOIN_STREAMS_KEYS = (
        "join.streams_keys",
        "The keys on the left are {left}, those on the right {right}, so no records would match.",
        "Put a select_key with a cast to {left} on the right.",
    )
    JOIN_STREAMS_FORMATS = (
        "join.streams_formats",
        "The keys on the left are written as {left}, those on the right as {right}, so no records would match.",
        "Put select_key with the key format {left} on the right.",
    )
    JOIN_TABLE_WINDOWED = (
        "join.table_windowed",
        "Only one side of the join has windowed keys, so no record would find a row.",
        "Give the stream a plain key by select_key.",
    )
    JOIN_TABLE_KEYS = (
        "join.table_keys",
        "The stream's keys are {stream}, the table's {table}, so no record would find a row.",
        (
            "Cast the {cast} to get {table}.",
            "Set `{empty}` to get {table}.",
            "Put a select_key with a cast to get {table}.",
        ),
    )
    JOIN_TABLE_FORMATS = (
        "join.table_formats",
        "The stream's keys are written as {stream}, the table's as {table}, so no record would find a row.",
        "Put select_key with the key format {table} before the join.",
    )
    JOIN_TABLES_WINDOWS = (
        "join.tables_windows",
        "The windows of the two tables differ, so no rows would match.",
        "Aggregate both sides over the same windows.",
    )
    JOIN_TABLES_KEYS = (
        "join.tables_keys",
        "The left keys are {left}, the right keys {right}, so no rows would match.",
        "Give one side a new key, or fill in `foreign_key`.",
    )
    JOIN_TABLES_FORMATS = (
        "join.tables_formats",
        "The left keys are written as {left}, the right keys as {right}, so no rows would match.",
        "Read or key both sides in the same format.",
    )
    JOIN_FOREIGN_KEY_OUTER = (
        "join.foreign_key_outer",
        "There is no outer join by a foreign key.",
        "Use join or left_join.",
    )
    JOIN_FOREIGN_KEY_WINDOWED = (
        "join.foreign_key_windowed",
        "The right table has windowed keys, which a foreign key cannot refer to.",
        "Join by the windowed keys themselves: empty `foreign_key`.",
    )
    JOIN_FOREIGN_KEY_TYPE = (
        "join.foreign_key_type",
        "The foreign key is {foreign_key}, the keys of the right table are {table}.",
        "Cast it to get {table}.",
    )

    # Python of users
    CODE_OFF = (
        "code.off",
        "Python is off on this server.",
        "Ask an administrator to start the server with {variable}=1, or use expressions (map, filter, aggregate).",
    )
    CODE_TOO_LONG = (
        "code.too_long",
        "The code is {bytes:,} bytes long; {max_bytes:,} are allowed.",
        "Move long parts into a package that is installed on the server.",
    )
    CODE_SYNTAX = ("code.syntax", "Line {line}: {why}.", "Correct the line.")
    CODE_UNREADABLE = ("code.unreadable", "Python cannot read this code.", "Make it simpler.")
    CODE_NO_CLASS = (
        "code.no_class",
        "Line {line}: the code has no class that extends {base}.",
        "Write `class Mine({base}):` with a method `process(self, record)`.",
    )
    CODE_MANY_CLASSES = (
        "code.many_classes",
        "Line {line}: `{first}` and `{second}` both extend {base}; a node has one such class.",
        "Keep one, and remove {base} from the others.",
    )
    CODE_YIELDS = (
        "code.yields",
        "Line {line}: `{method}` yields values, but they are not used.",
        "Call self.context.forward(record.with_value(…)).",
    )
    CODE_NO_PROCESS = (
        "code.no_process",
        "Line {line}: the class `{name}` has no method `process`.",
        "Add `def process(self, record):` to it.",
    )


DROP_CURES: Mapping[str, str] = {
    "late": "Raise the grace of windowed_by or of the join, or `history_ms` of the table.",
    "past retention": "Raise `retention_ms` of windowed_by to keep windows longer.",
    "null key": "Set a key upstream, with select_key or map.",
    "null key before repartition": "Choose a key that is never null. Kafka Streams drops them without counting.",
    "null value": "Set a value upstream with map_values, or remove such records with a filter.",
    "null foreign key": "Change its expression, or remove such rows with a filter.",
}
"""What may be done where records should not be dropped, by the reason as the engine names it."""


def fill(wordings: Wordings, arguments: Arguments) -> str:
    """The first wording whose arguments are all given, with them.

    >>> fill(("Did you mean `{meant}`?", "Choose {one}."), {"meant": None, "one": "a topic"})
    'Choose a topic.'
    """
    given = {name: value for name, value in arguments.items() if value is not None}
    fitting = next((each for each in wordings if names_in(each) <= given.keys()), wordings[-1])
    return fitting.format_map(given)


@cache
def names_in(wording: str) -> frozenset[str]:
    """The names of the arguments that a wording has places for."""
    return frozenset(name for _, name, _, _ in Formatter().parse(wording) if name)
