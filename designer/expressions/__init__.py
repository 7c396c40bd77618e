"""Expressions: SQL's scalar syntax as Spark has it, over the records of a topology.

    checked = check("dep_delay > 60", scope, returns=BOOLEAN)
    keep = compile_expression(checked, ("key", "value", "timestamp"), node="late", field="predicate")

sqlglot reads the text and does nothing else (lexis, grammar, parse); our own tree is checked against the scope and the
list of functions (check, functions) and compiled to Python through Python's syntax tree (emit, compile). Nulls follow
SQL, integers have 64 bits, `/` gives a double, texts are in single quotes, names are case-sensitive.
Decimals are Spark's: `1.5BD`, CAST(x AS DECIMAL(10, 2)). Other than in Spark, `1.5` is a double, but a decimal beside
one; doubles compare as IEEE 754 says (NaN equals nothing), times are milliseconds, and regular expressions are RE2's.

- `functions`: the functions that expressions may call, one table.
- `java`: the second back end, expressions as Java.
"""

from designer.expressions.check import CheckedExpression, check
from designer.expressions.compile import compile_expression, compile_struct, name_asker
from designer.expressions.complete import describe_functions, list_names_in
from designer.expressions.errors import ExpressionError, RecordError
from designer.expressions.lexis import count_words
from designer.expressions.parse import parse

__all__ = [
    "CheckedExpression",
    "ExpressionError",
    "RecordError",
    "check",
    "compile_expression",
    "compile_struct",
    "count_words",
    "describe_functions",
    "list_names_in",
    "name_asker",
    "parse",
]
