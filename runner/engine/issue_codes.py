"""The codes of problems that operators find in their own forms and inputs."""

from designer.messages import SharedIssueCode


class OperatorIssueCode(SharedIssueCode):
    """The codes of problems that operators find in their own forms and inputs."""

    EXPRESSION_MISSING = (
        "expression.missing",
        "{function} needs an expression.",
        "Name a field or write an expression.",
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
    VALUE_BOTH = ("value.both", "Both `value` and `fields` are given.", "Empty one of them.")
    VALUE_NONE = ("value.none", "This node computes no new value.", "Set `value` or `fields`.")
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
    BRANCH_EMPTY = (
        "branch.empty",
        "The branch `{branch}` has neither a predicate nor a type.",
        "Write a predicate, or choose a type if the value is a union.",
    )
    BRANCH_BOTH = (
        "branch.both",
        "The branch `{branch}` has a predicate and a type.",
        "Empty one of them. A branch after a branch of a type can test its fields.",
    )
    BRANCH_TYPE = (
        "branch.type",
        ("The value has no type `{type}`; it has {known}.", "The value is not a union, so it has no type `{type}`."),
        "Correct the type, or write a predicate.",
    )
    MERGE_KEYS = (
        "merge.keys",
        "The keys of the streams differ: {first} in the first, {other} in another.",
        "Put a select_key with a cast before one.",
    )
    MERGE_WINDOWS = (
        "merge.windows",
        "The windows of the streams' keys differ: {first} in the first, {other} in another.",
        "Give each stream a plain key with select_key.",
    )
    STORE_OF_STREAM = (
        "store.of_stream",
        "Only a KTable can have a store, but here a KStream arrives.",
        "Empty `store`.",
    )
    STORE_TWICE = ("store.twice", "There are two stores called `{store}`.", "Rename one.")
    STATE_GROWS = (
        "state.grows",
        ("Store `{store}` keeps each key until the code deletes it.", "The state keeps a row for each key, forever."),
        "Fine for a limited number of keys. If new keys keep coming, set a time to live (`ttl_ms`), or use windows.",
        "hint",
    )
    CODE_NOT_RECORDED = (
        "code.not_recorded",
        "The code imports {modules}. What other servers answer is not recorded, so a proof and a replay ask again, and "
        "may get other answers.",
        "Ask through the context, as in `self.context.side_effect(find_price, currency)`. Then the answer is kept with "
        "the batch.",
        "hint",
    )
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
    WINDOW_ADVANCE = (
        "window.advance",
        "Windows of {size} ms that start every {advance} ms leave gaps between windows.",
        "Advance by at most {size} ms.",
    )
    WINDOW_COUNT = (
        "window.count",
        "Each record would be in {count} windows; at most {most} are allowed.",
        "Advance further, or make the windows shorter.",
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
    AGGREGATE_BOTH = ("aggregate.both", "Both `functions` and `{field}` are given.", "Empty one of them.")
    AGGREGATE_NONE = (
        "aggregate.none",
        "This aggregate computes nothing.",
        "Add a function, or set `init` and `add`. After cogroup, set only `init`.",
    )
    AGGREGATE_NO_INIT = ("aggregate.no_init", "`{field}` needs a value before the first record.", "Set `init`.")
    AGGREGATE_TYPE = (
        "aggregate.type",
        "{function} needs {wanted}, but `{text}` is {type}.",
        "Cast it, or choose another field or function.",
    )
    AGGREGATE_UNFIXED = (
        "aggregate.unfixed",
        "{what} is {before}{where}, but `{field}` gives {after}. So the type of the result is unknown, and expressions "
        "after this node are not checked.",
        ("Write `CAST(… AS {type})` in {places}.", "Make both give the same type."),
        "hint",
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
        "Set `add`, for example `agg + 1`.",
    )
    SUBTRACT_MISSING = (
        "subtract.missing",
        "A row of a KTable leaves its group when it changes, but `subtract` is empty. Its value would stay in the "
        "aggregate.",
        "Set `subtract`, the reverse of `add`: `agg - amount` for `agg + amount`.",
    )
    SUBTRACT_UNNEEDED = (
        "subtract.unneeded",
        "Only a KGroupedTable uses `subtract`, but here a {type} arrives.",
        "Empty `subtract`.",
    )
    MERGE_MISSING = (
        "merge.missing",
        "A record between two sessions merges them, but `merge` is empty, so their aggregates cannot merge.",
        "Set `merge` with `agg` and `other`, the two aggregates: `agg + other` for a sum.",
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
        "Set how long {side} the left record the right one may be.",
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
        "Give that side a plain key with select_key.",
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
        "Give the stream a plain key with select_key.",
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
