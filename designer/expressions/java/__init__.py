"""Expressions as plain Java: the second back end beside `designer.expressions.compile`, over the same checked trees.

    method = make_java_method(check("dep_delay > 60", scope), "latePredicate", {"value": "Map<String, Object>"})

A tree becomes one static method with the rules of `emit`: nulls, overflow, decimals and texts are those of the engine.
What Java lacks becomes a call of `Sql`, a small class that travels with the program.
"""

from designer.expressions.java.method import JavaMethod, make_java_method
from designer.expressions.java.source import NotInJava, find_java_type, quote_text, write_comment

__all__ = ["JavaMethod", "NotInJava", "find_java_type", "make_java_method", "quote_text", "write_comment"]
