"""The catalogue of messages: every problem that a graph can have, by code. Every sentence is here once.

A translation needs only this file. `{name}` is replaced by an argument. An argument may be words, such as pydantic's
reason or a list of a port's types.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from string import Formatter

Argument = str | int | None
"""A name, a number or words. None selects a wording of the message without it."""
Arguments = Mapping[str, Argument]
Wordings = tuple[str, ...]
"""Ways to word a sentence. The first with all its arguments is used."""

_SET = ("Set it: {help}", "Set it.")
_CHANGE = ("Change it: {help}", "Change it.")
_DECIMAL = "A decimal has a precision from 1 to {max_precision} and a scale from 0 to its precision."
_SPLIT = "Split it over several nodes."
_WRITE = "Write `{word}`."
_CAST = "Use CAST(… AS {cast})."
_EXTRACT = "Extract one of its types, for example union_extract({part}, '{tag}')."
_AS_BYTES = "Read the values as bytes."
_CORRECT_SCHEMA = "Correct the schema."
_ADD_FILES = "Correct the schema. Add each imported file to the text, after a line `// file:` and its path."


def _at(wording: str) -> Wordings:
    """The sentence about a field of an Avro schema, or about the schema itself."""
    return f"Field `{{path}}` {wording}", f"The schema {wording}"


class IssueCode(StrEnum):
    """The code of a problem, with the sentence that a user reads and the next step."""

    message: Wordings
    hint: Wordings

    def __new__(cls, code: str, message: str | Wordings, hint: str | Wordings) -> IssueCode:
        member = str.__new__(cls, code)
        member._value_ = code
        member.message = (message,) if isinstance(message, str) else message
        member.hint = (hint,) if isinstance(hint, str) else hint
        return member

    @classmethod
    def _missing_(cls, value: object) -> IssueCode:
        """A job may store an issue that another version of the product found."""
        return cls.UNKNOWN

    UNKNOWN = ("unknown", "{text}", "{next_step}")
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
        "`{node}` cannot be bypassed: {operator} does not have exactly one input and one output.",
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
        _SET,
    )
    FIELD_UNKNOWN = (
        "field.unknown",
        ("A row of `{row}` has no field `{field}`.", "{operator} has no field `{field}`."),
        ("Did you mean `{meant}`?", "Remove it; the fields are {fields}."),
    )
    FIELD_INVALID = ("field.invalid", "`{field}` is {given}; expected {expected}.", _CHANGE)
    FIELD_UNUSED = (
        "field.unused",
        "`{field}` is not read while `{other}` is {chosen}.",
        "Empty it, or choose {choices} as `{other}`.",
    )
    NAME_TWICE = ("name.twice", "The field `{name}` is defined twice.", "Rename one.")
    EXPRESSION_UNFED = (
        "expression.unfed",
        "The fields that arrive at `{node}` are not known yet.",
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

    # the text of an expression
    TEXT_EMPTY = ("text.empty", "The expression is empty.", "Write an expression such as `amount > 10`.")
    TEXT_TOO_LONG = (
        "text.too_long",
        "The expression has {characters:,} characters; at most {max_characters:,} are allowed.",
        _SPLIT,
    )
    TEXT_MANY_WORDS = (
        "text.many_words",
        "The expression has {words:,} words and signs; at most {max_words:,} are allowed.",
        _SPLIT,
    )
    TEXT_MANY_PARTS = ("text.many_parts", "The expression has more than {max_parts} parts.", _SPLIT)
    TEXT_TOO_DEEP = ("text.too_deep", "The expression is nested deeper than {max_depth} levels.", _SPLIT)
    TEXT_UNREADABLE = ("text.unreadable", "The expression cannot be read.", "Check its quotes.")
    TEXT_OPEN_QUOTE = ("text.open_quote", "A {quote} is not closed.", "Close it with {quote}.")
    TEXT_DOUBLE_QUOTES = (
        "text.double_quotes",
        "Double quotes cannot enclose a text or a name here.",
        "Put a text in single quotes, and an unusual name in backquotes.",
    )
    TEXT_TYPOGRAPHIC = ("text.typographic", "Typographic quotes cannot enclose a text.", "Write 'text'.")
    TEXT_ESCAPE = (
        "text.escape",
        "`{escape}` is not a valid escape in a text.",
        "Double the backslash, or write the raw text r{written}.",
    )
    TEXT_COMMENT = (
        "text.comment",
        "Comments are not allowed in an expression.",
        "Write comments in the node's notes.",
    )
    TEXT_INVISIBLE = (
        "text.invisible",
        "The character {character}, which is invisible, is between words.",
        "Replace it with a space.",
    )
    TEXT_CHARACTER = (
        "text.character",
        "The character {sign} ({character}) is not allowed in a name.",
        "Names use letters, digits and _. Put other field names in backquotes.",
    )
    TEXT_EQUALITY = ("text.equality", "Use one `=` for equality, not `{written}`.", _WRITE)
    TEXT_INEQUALITY = ("text.inequality", "Use `<>` or `!=` for inequality, not `{written}`.", _WRITE)
    TEXT_ASSIGNMENT = ("text.assignment", "An expression cannot assign values; use `=` for equality.", _WRITE)
    TEXT_AND = ("text.and", "Use `AND` for both conditions, not `{written}`.", _WRITE)
    TEXT_NOT = ("text.not", "Use `NOT` for negation, not `{written}`.", _WRITE)
    TEXT_NULL = ("text.null", "Write NULL here, not `{written}`.", "Write `NULL`.")
    TEXT_SEMICOLON = ("text.semicolon", "`;` is not needed here.", "Remove it.")
    TEXT_OPEN = ("text.open", "`{opening}` is not closed.", "Close it with `{closing}`.")
    TEXT_CLOSES_NOTHING = ("text.closes_nothing", "`{closing}` has no opening bracket.", "Remove it.")
    TEXT_CLOSES_OTHER = (
        "text.closes_other",
        "`{closing}` does not close `{opening}`; expected `{expected}`.",
        "Close the last opened bracket first.",
    )
    TEXT_ENDS_EARLY = ("text.ends_early", "The expression ends too early; expected {expected}.", "Finish it.")
    TEXT_MISPLACED = (
        "text.misplaced",
        ("`{sign}` is not allowed here; expected {expected}.", "`{sign}` is not allowed here."),
        ("{instead}", "Check the text before it."),
    )
    TEXT_SQL = (
        "text.sql",
        "{forms} are not allowed in an expression.",
        "An expression computes one value from one record. Use nodes for everything else.",
    )
    TEXT_FORM = (
        "text.form",
        "{form} is not allowed in an expression.",
        "Use the operators and functions from the completion list.",
    )
    TEXT_LIST = ("text.list", "A list after IN needs parentheses.", "Write IN (1, 2).")
    TEXT_METHOD = (
        "text.method",
        "`{function}` is called with a dot, but functions cannot follow a dot here.",
        "Write `{function}(…)` with the value as its first argument.",
    )
    TEXT_QUOTED_FUNCTION = (
        "text.quoted_function",
        "Write the name of a function without quotes.",
        "Remove them.",
    )

    # numbers and types in it
    TEXT_NOT_A_NUMBER = ("text.not_a_number", "{number} is not a number.", "Write it as in {example}.")
    TEXT_INTEGER_RANGE = (
        "text.integer_range",
        "{number} does not fit into 64 bits.",
        "Integers go from {least} to {greatest}.",
    )
    TEXT_DOUBLE_RANGE = (
        "text.double_range",
        "{number} is too large for a double.",
        "The largest double is about 1.8e308.",
    )
    TEXT_DECIMAL_RANGE = (
        "text.decimal_range",
        "{number}BD has more than {max_precision} digits.",
        "Write fewer digits.",
    )
    TEXT_DECIMAL_SIZE = (
        "text.decimal_size",
        _DECIMAL,
        "Write the total digits and the digits after the point: DECIMAL(10, 2).",
    )
    TEXT_SIZE = ("text.size", "{type} has no size.", "Write {type} alone.")
    TEXT_TYPE_UNKNOWN = (
        "text.type_unknown",
        "A value cannot be cast to `{type}`. Types to cast to are {types}.",
        ("Write {instead}.", "Types to cast to are {types}."),
    )
    TEXT_TYPE_OF_TIME = (
        "text.type_of_time",
        "A value cannot be cast to `{time}`. Types to cast to are {types}.",
        "Times are in milliseconds. Use to_timestamp_ms(text) to read a time and date_format(ms, format) to write it.",
    )

    # names in it
    TEXT_NAME_UNKNOWN = (
        "text.name_unknown",
        (
            "`{name}` is not known here. Known: {known}. Did you mean `{meant}`?",
            "`{name}` is not known here. Known: {known}.",
            "`{name}` is not known here, because there is no record here.",
        ),
        "Use one of these names. Put a text in single quotes.",
    )
    TEXT_FIELD_UNKNOWN = (
        "text.field_unknown",
        (
            "Field `{field}` is not in {owner}, which has {fields}. Did you mean `{meant}`?",
            "Field `{field}` is not in {owner}, which has {fields}.",
            "Field `{field}` is not in {owner}, which has no fields. Did you mean `{meant}`?",
            "Field `{field}` is not in {owner}, which has no fields.",
        ),
        "Use one of these fields. Put a text in single quotes.",
    )
    TEXT_NO_FIELDS = (
        "text.no_fields",
        "`{owner}` is {type}; it has no field `{field}`.",
        "Only structs have fields.",
    )
    TEXT_CLOCK = (
        "text.clock",
        "An expression cannot ask the clock.",
        (
            "Use `{role}`, the time of the record in ms. Put a field of that name in backquotes.",
            "Use `{time}`, the record's time in ms.",
            "Put a field of that name in backquotes.",
        ),
    )
    TEXT_NO_WINDOW = ("text.no_window", "The key is not windowed here.", "Window the groups first.")

    # what its operators accept
    TEXT_GIVES = (
        "text.gives",
        "This gives {given}; expected {wanted}.",
        ("Compare it with a value, for example `{compared} = …`.", "Use CAST."),
    )
    TEXT_CONDITION = (
        "text.condition",
        "{word} needs conditions, but `{part}` is {type}.",
        "Compare it with a value, for example `{part} = …`.",
    )
    TEXT_ITEMS = (
        "text.items",
        "`{part}` is {type}; only lists, maps and structs have items.",
        "Remove the brackets.",
    )
    TEXT_POSITION = ("text.position", "An item's position must be {wanted}, but `{part}` is {type}.", _CAST)
    TEXT_KEY = ("text.key", "A map's key must be {wanted}, but `{part}` is {type}.", _CAST)
    TEXT_FIELD_NAME = ("text.field_name", "A field's name must be {wanted}, but `{part}` is {type}.", _CAST)
    TEXT_NEW_KEY = ("text.new_key", "A key of a map must be {wanted}, but `{part}` is {type}.", _CAST)
    TEXT_LIKE = ("text.like", "{operator} needs {wanted}, but `{part}` is {type}.", _CAST)
    TEXT_DIV = (
        "text.div",
        "DIV divides integers and decimals; `{part}` is {type}.",
        "Use `/`, or floor(a / b).",
    )
    TEXT_NUMBER = (
        "text.number",
        "`{operator}` computes with numbers; `{part}` is {type}.",
        ("Write CAST({castable} AS DOUBLE).", "Use a number."),
    )
    TEXT_PLUS = ("text.plus", "`+` adds numbers; use `||` to join texts.", "Write `||`.")
    TEXT_BARS = ("text.bars", "`||` joins texts; use `OR` for either condition.", "Write `OR`.")
    TEXT_JOINED = (
        "text.joined",
        "`||` joins texts; `{part}` is {type}.",
        (_EXTRACT, "Write to_json({part})."),
    )
    TEXT_NOT_COMPARED = (
        "text.not_compared",
        "`{part}` is {type}, which cannot be compared.",
        (_EXTRACT, "Compare its fields or items, or its to_json(…)."),
    )
    TEXT_UNLIKE = (
        "text.unlike",
        "`{part}` is {type} and `{other}` is {other_type}; they cannot be compared.",
        ("Write {instead}.", "Cast one of them."),
    )
    TEXT_UNITS = (
        "text.units",
        "`{part}` counts {unit} and `{other}` {other_unit}; their numbers cannot be compared.",
        "Write unix_millis({part}) and unix_millis({other}), or unix_micros of both.",
    )
    TEXT_NULL_COMPARED = (
        "text.null_compared",
        "A comparison with NULL by `{operator}` is never true.",
        "Write `{test}`.",
    )
    TEXT_CHAIN = ("text.chain", "Comparisons cannot be chained.", "Write `AND {middle}` between them.")
    TEXT_ONE_TYPE = (
        "text.one_type",
        "{what} must give one type, but `{part}` is {type} and `{other}` is {other_type}.",
        "Cast one of them, as in CAST({other} AS {cast}).",
    )
    TEXT_CAST = (
        "text.cast",
        "{type} cannot be cast to {target}.",
        (_EXTRACT, "To get its text, write to_json({part})."),
    )
    TEXT_CAST_OF_BYTES = (
        "text.cast_of_bytes",
        "{type} cannot be cast to {target}; bytes are cast from and to text.",
        "Cast to STRING first.",
    )

    # calls in it
    TEXT_FUNCTION_UNKNOWN = (
        "text.function_unknown",
        ("There is no function `{function}`. Did you mean `{meant}`?", "There is no function `{function}`."),
        "Use a function from the completion list.",
    )
    TEXT_RANDOM = (
        "text.random",
        "There is no function `{function}`. The same record must always give the same result.",
        "Use a field.",
    )
    TEXT_AGGREGATE = (
        "text.aggregate",
        "`{function}` works on many records, but an expression uses one record.",
        "Use a count or aggregate node to count or sum over records.",
    )
    TEXT_ARGUMENTS = (
        "text.arguments",
        (
            "`{function}` takes {one} argument, not {given}.",
            "`{function}` takes {fewest} to {most} arguments, not {given}.",
            "`{function}` takes {most} arguments, not {given}.",
            "`{function}` takes {fewest} or more arguments, not {given}.",
        ),
        "Write {call}.",
    )
    TEXT_ARGUMENT = (
        "text.argument",
        "The `{parameter}` of {function} is {wanted}; `{part}` is {type}.",
        ("Write CAST({part} AS {cast}).", "Write {signature}."),
    )
    TEXT_ARGUMENT_OF_PARTS = (
        "text.argument_of_parts",
        "The `{parameter}` of {function} cannot be {type}.",
        "Use its fields or items.",
    )
    TEXT_FORMAT_VALUES = (
        "text.format_values",
        "The format's {conversion} writes value {place}, and there are {given}.",
        "Add a value for each conversion.",
    )
    TEXT_FORMAT_TYPE = (
        "text.format_type",
        "{conversion} writes {wanted}; `{part}` is {type}.",
        "Use %s for any text or number, or cast the value.",
    )
    TEXT_LAMBDA_MISPLACED = (
        "text.lambda_misplaced",
        "The lambda `{part}` is not allowed here.",
        "Give it to a function that takes one, as in transform(list, x -> x + 1).",
    )
    TEXT_LAMBDA_WANTED = (
        "text.lambda_wanted",
        "The `{parameter}` of {function} is a lambda; `{part}` is not.",
        "Write it with an arrow, as in {example}.",
    )
    TEXT_LAMBDA_PARAMETERS = (
        "text.lambda_parameters",
        "This lambda of {function} needs {wanted} names before the arrow, not {given}.",
        "Write it as in {example}.",
    )
    TEXT_LAMBDA_TWICE = ("text.lambda_twice", "The lambda has the name `{name}` twice.", "Rename one.")
    TEXT_LAMBDA_GIVES = (
        "text.lambda_gives",
        "The lambda of {function} gives {given}; expected {wanted}.",
        "Change the lambda, or cast its value.",
    )
    TEXT_ARGUMENT_IN_QUOTES = (
        "text.argument_in_quotes",
        "The `{parameter}` of {function} must be a text in quotes, but `{part}` is not.",
        "Write a text in quotes, such as 'text'.",
    )
    TEXT_ARGUMENT_UNUSABLE = (
        "text.argument_unusable",
        "The `{parameter}` of {function} cannot be used: {why}.",
        "Correct it.",
    )
    TEXT_DIGITS = (
        "text.digits",
        "The `digits` of {function} must be a number, because they set the type of a rounded decimal.",
        "Write a number, or round CAST(… AS DOUBLE).",
    )
    TEXT_STRUCT_VALUE = (
        "text.struct_value",
        "named_struct needs a value after each name.",
        "Add the last value.",
    )
    TEXT_STRUCT_NAME = (
        "text.struct_name",
        "A name in named_struct must be a text in quotes.",
        "Write the name in quotes.",
    )
    TEXT_STRUCT_TWICE = (
        "text.struct_twice",
        "Two fields are called `{field}`.",
        "Give each field a different name.",
    )
    TEXT_MAP_VALUE = ("text.map_value", "map needs a value after each key.", "Add the last value.")
    TEXT_UNION = (
        "text.union",
        "{function} needs a union of several types, but `{part}` is {type}.",
        "Use the value itself.",
    )
    TEXT_UNION_TYPE = (
        "text.union_type",
        (
            "The `type` of union_extract must be one of {types}, but `{part}` is not.",
            "The `type` of union_extract must be a text in quotes, but `{part}` is not.",
        ),
        "Write the name of one of the union's types in quotes.",
    )
    TEXT_UNION_VALUE = (
        "text.union_value",
        "The `type` of union_value must be a text in quotes.",
        "Write a text in quotes, such as 'int'.",
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
        ("{between}", "Connect {takes} to it."),
    )
    PORT_PAIR = ("port.pair", "{operator} does not take {types}.", "It takes {pairs}.")
    PORT_UNCONNECTED = (
        "port.unconnected",
        "Nothing feeds the `{port}` port.",
        "Connect {takes} to it.",
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
        "The edges from `{node}` lead back to it, so records would circulate endlessly.",
        "Remove an edge of the cycle, or write to a topic and read that topic as a source.",
    )
    GRAPH_NO_SINK = (
        "graph.no_sink",
        "The topology does not write to a topic.",
        "Add a `to` node and draw an edge into it.",
    )

    # topics
    TOPIC_NAME = ("topic.name", "`{topic}` is not a valid topic name.", "Name a topic.")
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
    TOPIC_FORMATS_DIFFER = (
        "topic.formats_differ",
        "This node writes each {side} of `{topic}` as {here}, but `{node}` {verb} it as {there}.",
        "Choose one format and type for all nodes of the topic, or another topic. Readers expect one.",
    )
    TABLE_FORGETS = (
        "table.forgets",
        "Kafka deletes records of `{topic}` when they are older than {age}. A table that is read again lacks these "
        "rows.",
        "Set `cleanup.policy` of the topic to `compact`, so that Kafka keeps the newest row of each key.",
    )
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
        _DECIMAL,
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
    AVRO_NOT_JSON = (
        "avro.not_json",
        ("The schema is not valid JSON: {why}.", "The schema is not valid JSON: it nests too deep."),
        "Paste an Avro schema, the text of an .avsc.",
    )
    AVRO_TOO_DEEP = ("avro.too_deep", _at("nests deeper than {max_depth} types."), _AS_BYTES)
    AVRO_NO_TYPE = ("avro.no_type", _at("is not an Avro type: {json}."), _CORRECT_SCHEMA)
    AVRO_UNDEFINED = (
        "avro.undefined",
        _at("has the type `{type}`, which the schema does not define."),
        "Define `{type}` where it is used first.",
    )
    AVRO_UNION_HELD = ("avro.union_held", _at("is a union that holds a union."), "Make it one union.")
    AVRO_UNION_TWICE = ("avro.union_twice", _at("is a union that has {type} twice."), "Remove one.")
    AVRO_RECORD = ("avro.record", "The record {record} has a repeated field.", _CORRECT_SCHEMA)
    AVRO_FIELD = ("avro.field", "A field of {record} has no name or no type.", _CORRECT_SCHEMA)
    AVRO_ENUM = (
        "avro.enum",
        "The enum {enum} has a repeated symbol, or a symbol that is not a string.",
        _CORRECT_SCHEMA,
    )
    AVRO_NAME = (
        "avro.name",
        _at("has no name, or defines `{type}` again."),
        "Use its name instead.",
    )
    SCHEMA_TOO_LARGE = (
        "schema.too_large",
        "The schema has more than {max_characters} characters.",
        "Leave out what no record uses.",
    )
    JSON_SCHEMA_NOT_JSON = (
        "json_schema.not_json",
        "The schema is not valid JSON: {why}.",
        "Paste a JSON Schema of draft-07 or 2020-12.",
    )
    JSON_SCHEMA_INVALID = (
        "json_schema.invalid",
        ("The JSON Schema is not valid at `{path}`: {why}.", "The JSON Schema is not valid: {why}."),
        "Correct the schema. What it refers to must stand in its own text.",
    )
    PROTOBUF_SYNTAX = (
        "protobuf.syntax",
        "The .proto text has an error in line {line}: {why}.",
        "Paste the text of a .proto file of proto2, proto3 or an edition.",
    )
    PROTOBUF_INVALID = ("protobuf.invalid", "The Protobuf schema is not valid: {why}.", _ADD_FILES)
    PROTOBUF_CIRCLE = ("protobuf.circle", "The files import each other in a circle: {circle}.", "Remove an import.")
    PROTOBUF_NO_MESSAGE = (
        "protobuf.no_message",
        (
            "The Protobuf schema has no message `{message}`, but {messages}.",
            "The Protobuf schema has no message `{message}`.",
            "The Protobuf schema has no message.",
        ),
        "Name one of its messages, or none for the first.",
    )
    AVRO_SCHEMA_MISSING = (
        "avro.schema_missing",
        "The format {format} needs a schema, but the schema is empty.",
        "Paste it into `{field}`, or choose {fitting}. Inside a topology json works as well.",
    )
    AVRO_MISFIT = (
        "avro.misfit",
        (
            "The {schema} needs {wanted} for `{field}`, but the value has {given}.",
            "The {schema} needs {wanted}, but the value has {given}.",
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
        "Set `{side}_schema_id` to its id in the schema registry.",
    )
    REGISTRY_UNUSED = (
        "registry.unused",
        "Neither keys nor values are written in a format that a schema registry knows, such as avro.",
        "Choose such a format, or set `schema_registry` to none.",
    )
    REGISTRY_NO_SUBJECT = (
        "registry.no_subject",
        (
            "The {side}'s schema has no name, so `{strategy}` names no subject for it.",
            "The {side} has no subject.",
        ),
        ("Choose topic, associated or by_hand.", "Write it into `{side}_subject`."),
    )
    REGISTRY_NO_ID = (
        "registry.no_id",
        "The {side} is written with the schema of an id, but the id is empty.",
        "Set `{side}_schema_id` to its id in the schema registry.",
    )
    REGISTRY_GUID = (
        "registry.guid",
        "Only the schema registry knows GUIDs, but `schema_registry` is none.",
        "Choose id_header or confluent, or let the deploy ask the registry.",
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
    STATE_GROWS = (
        "state.grows",
        ("Store `{store}` keeps each key until the code deletes it.", "The state keeps a row for each key, forever."),
        "Fine for a limited number of keys. If new keys keep coming, set `ttl_ms`, or use windows.",
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

    # windows
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

    # users' Python
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
    CODE_PARAMETERS = (
        "code.parameters",
        "Line {line}: `{method}` has {given} parameters ({names}); expected {expected}.",
        "Write `def {method}({expected}):`. A record has `key`, `value`, `timestamp` and `headers`.",
    )
    CODE_FORWARD = (
        "code.forward",
        "Line {line}: `forward` gets {given} values; expected one record.",
        "Write `forward(Record({key}, {value}, record.timestamp))`, or `forward(record.with_value({value}))` to keep "
        "the key, time and headers.",
    )


WARNINGS = frozenset({IssueCode.TOPIC_FORMATS_DIFFER, IssueCode.TIMES_UNLIKELY})
HINTS = frozenset({IssueCode.STATE_GROWS, IssueCode.TABLE_FORGETS})
"""Codes that do not prevent a deploy. A warning is marked on the canvas, a hint is only in the form and the lists."""


class FixCode(StrEnum):
    """The code of a fix: what one click does with the text of an issue, and the label of its button."""

    label: str

    def __new__(cls, code: str, label: str) -> FixCode:
        member = str.__new__(cls, code)
        member._value_ = code
        member.label = label
        return member

    ADD = ("add", "Add {part}")
    REMOVE = ("remove", "Remove {part}")
    USE = ("use", "Use {part}")
    REMOVE_COMMENT = ("remove_comment", "Remove the comment")
    WRITE_SPACE = ("write_space", "Write a space")
    MAKE_RAW = ("make_raw", "Make it a raw text")
    STRAIGHTEN_QUOTES = ("straighten_quotes", "Use straight quotes")


SIGNS_INSTEAD: Mapping[str, str] = {
    "?": "For a choice, write if(condition, then, else).",
    ":": "Write if(condition, then, else) for a choice, or CAST(x AS STRING) to change a type.",
    "^": "For a power, write pow(x, 2).",
    "*": "Write the name of the field. For a power, write pow(x, 2).",
    "&": "Use AND for both conditions.",
    "|": "Use OR for either condition, and || to join texts.",
    ">": "For a lambda, write an arrow, as in filter(list, x -> x > 1).",
    "->": "A lambda stands among the arguments of a function, as in filter(list, x -> x > 1).",
    "{": "To build a struct, write named_struct('name', value).",
    "[": "To build a list, write array(1, 2).",
    ";": "Only one expression is allowed.",
    "@": "Parameters are not allowed.",
    "%": "For the remainder, write a % b.",
}
"""Replacements for signs that an expression does not allow."""


def fill(wordings: Wordings, arguments: Arguments) -> str:
    """The first wording with all its arguments, filled in.

    >>> fill(("Did you mean `{meant}`?", "Choose {one}."), {"meant": None, "one": "a topic"})
    'Choose a topic.'
    """
    values = {name: value for name, value in arguments.items() if value is not None}
    fitting = next((each for each in wordings if list_arguments(each) <= values.keys()), wordings[-1])
    return fitting.format_map(values)


@cache
def list_arguments(wording: str) -> frozenset[str]:
    """The names of a wording's arguments."""
    return frozenset(name for _, name, _, _ in Formatter().parse(wording) if name)
