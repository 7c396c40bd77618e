"""The catalogue of messages: every problem that a graph can have, by code, with the only place of its sentence.

Problems that operators find are in `runner/engine/issue_codes.py`, those of clusters in
`runner/control/clusters/issue_codes.py`. `{name}` is replaced by an argument. An argument may be words, such as
pydantic's reason or a list of a port's types.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from string import Formatter
from typing import Literal, Self

from designer.shared_codes import CodeList, SharedCode

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


Level = Literal["error", "warning", "hint"]
LISTED = CodeList("IssueCode", "The code of a problem, with the sentence that a user reads and the next step.")


class SharedIssueCode(SharedCode):
    """The code of a problem, with the sentence that a user reads and the next step.

    Only an error prevents a deploy. A warning is marked on the canvas, a hint is only in the form and the lists.
    """

    message: Wordings
    hint: Wordings
    level: Level

    def __new__(cls, code: str, message: str | Wordings, hint: str | Wordings, level: Level = "error") -> Self:
        member = str.__new__(cls, code)
        member._value_ = code
        member.message = (message,) if isinstance(message, str) else message
        member.hint = (hint,) if isinstance(hint, str) else hint
        member.level = level
        LISTED.add(code, member)
        return member

    @classmethod
    def get_list(cls) -> CodeList:
        return LISTED


class IssueCode(SharedIssueCode):
    """The codes of problems that designer finds."""

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
        "An expression cannot read the clock.",
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
        "{conversion} in the format needs value number {place}, but the call gives {given}.",
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
    GRAPH_CHAIN_LONG = (
        "graph.chain_long",
        "`{node}` ends a chain of {count} tables, each computed from the one before. At most {most} are allowed.",
        "Do several steps in one node, or write to a topic and read that topic as a source.",
    )
    GRAPH_NO_SINK = (
        "graph.no_sink",
        "The topology does not write to a topic.",
        "Add a `to` node and draw an edge into it.",
    )

    # topics
    TOPIC_NAME = (
        "topic.name",
        "`{topic}` is not a valid topic name.",
        "Choose a topic of the cluster, or a name of letters, digits, `.`, `_` and `-`.",
    )
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
    TOPIC_FORMATS_DIFFER = (
        "topic.formats_differ",
        "This node writes each {side} of `{topic}` as {here}, but `{node}` {verb} it as {there}.",
        "Choose one format and type for all nodes of the topic, or another topic. Readers expect one.",
        "warning",
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
    TIMESTAMP_FIELD_OF_DELETIONS = (
        "timestamp_field.of_deletions",
        "A record without a value has no `{field}`, so it cannot be read and does not delete its row.",
        "Write `{cure}`, and such a record takes its time from the topic.",
        "hint",
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
        "Correct the schema. It must contain everything that it refers to.",
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
        "Name one of its messages. Leave the field empty for the first.",
    )
    AVRO_SCHEMA_MISSING = (
        "avro.schema_missing",
        "The format {format} needs a schema, but the schema is empty.",
        ("Paste it into `{field}`, or choose {fitting}. Inside a topology json works as well.", "Choose {fitting}."),
    )
    AVRO_MISFIT = (
        "avro.misfit",
        (
            "The {schema} needs {wanted} for `{field}`, but the value has {given}.",
            "The {schema} needs {wanted}, but the value has {given}.",
        ),
        "Shape the value to have the schema's fields (map_values), correct the schema, or choose json.",
    )
    PROTOBUF_NO_INDEXES = (
        "protobuf.no_indexes",
        "Records without a schema id do not say which of several messages they hold.",
        "Choose `avro_header` confluent or a schema registry, or name one message in `{side}_message`.",
    )
    PROTOBUF_FILES = (
        "protobuf.files",
        "The messages of the {side} are in several files ({files}), but a schema id names one file.",
        "Choose register, require or latest in `schema_registry` with record or topic_record in `subject_strategy`, so "
        "that each message has its own subject, or put the messages into one file.",
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

    # tables and stores
    STORE_NAMED_TWICE = (
        "store.named_twice",
        "`{node}` already has a store called `{store}`.",
        "Give this store another name.",
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
    WRITE_SCHEMA = ("write_schema", "Write the schema of the {part}")


SIGNS_INSTEAD: Mapping[str, str] = {
    "?": "For a choice, write if(condition, then, else).",
    ":": "Write if(condition, then, else) for a choice, or CAST(x AS STRING) to change a type.",
    "^": "For a power, write pow(x, 2).",
    "*": "Write the name of the field. For a power, write pow(x, 2).",
    "&": "Use AND for both conditions.",
    "|": "Use OR for either condition, and || to join texts.",
    ">": "For a lambda, write an arrow, as in filter(list, x -> x > 1).",
    "->": "A lambda can only be an argument of a function, as in filter(list, x -> x > 1).",
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
