"""The grammar of expressions: sqlglot's operators by their precedence, over a closed list of operands.

sqlglot's parser reads all of SQL in a hundred dialects. This class reduces its tables of operators to ours. It replaces
its reading of operands (functions, subqueries, types, casts, windows and lambdas) completely.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, TypeVar

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.parser import IsPredicatePrecedence, Parser
from sqlglot.tokenizer_core import Token, TokenType

from designer.expressions.errors import ExpressionError, Span
from designer.expressions.lexis import Words, find_token_span
from designer.issues import Fix
from designer.messages import SIGNS_INSTEAD, FixCode, IssueCode

Node = exp.Expr
N = TypeVar("N", bound=exp.Expr)
DECIMAL = "BD"
"""Suffix of a decimal's digits."""
REFUSED_WORDS = {
    "SELECT": "Queries",
    "FROM": "Queries",
    "WITH": "Queries",
    "EXISTS": "Queries",
    "OVER": "Window functions",
    "AS": "Aliases",
    "USING": "Scripts",
    "COLLATE": "Collations",
    "INTERVAL": "Intervals",
    "LATERAL": "Queries",
}


class Grammar(Parser):
    """Reads one scalar expression. Any other form is an ExpressionError that names it."""

    DISJUNCTION = {TokenType.OR: exp.Or}
    CONJUNCTION = {TokenType.AND: exp.And}
    EQUALITY = {TokenType.EQ: exp.EQ, TokenType.NEQ: exp.NEQ, TokenType.NULLSAFE_EQ: exp.NullSafeEQ}
    COMPARISON = {TokenType.LT: exp.LT, TokenType.LTE: exp.LTE, TokenType.GT: exp.GT, TokenType.GTE: exp.GTE}
    BITWISE = {}
    TERM = {TokenType.PLUS: exp.Add, TokenType.DASH: exp.Sub}
    FACTOR = {
        TokenType.STAR: exp.Mul,
        TokenType.SLASH: exp.Div,
        TokenType.MOD: exp.Mod,
        TokenType.DIV: exp.IntDiv,
    }
    EXPONENT = {}
    JSON_OPERATORS: ClassVar[dict[TokenType, Any]] = {}
    IS_PREDICATE_PRECEDENCE = IsPredicatePrecedence.HIGH
    RANGE_PARSERS: ClassVar[dict[TokenType, Callable[[Any, Any], Any]]] = {
        TokenType.BETWEEN: lambda self, this: self._parse_between(this),
        TokenType.IN: lambda self, this: self._parse_in(this),
        TokenType.IS: lambda self, this: self._parse_is(this),
        TokenType.LIKE: lambda self, this: self.pattern(exp.Like, this),
        TokenType.ILIKE: lambda self, this: self.pattern(exp.ILike, this),
        TokenType.RLIKE: lambda self, this: self.pattern(exp.RegexpLike, this),
    }

    def read(self, tokens: list[Token], text: str) -> Node:
        """The whole of `text` as one tree of sqlglot's nodes, each operand with its span in `meta`."""
        self.reset()
        self.sql = text
        self._tokens = tokens
        self._tokens_size = len(tokens)
        self._index = -1
        self._advance()
        tree = self.value()
        if self._curr:
            raise self.refuse_token()
        return tree

    def value(self) -> Node:
        tree = self._parse_disjunction()
        assert tree is not None
        return tree

    def _parse_unary(self) -> Node:
        start = self._curr.start
        if self._match(TokenType.DASH):
            return self.span_node(exp.Neg(this=self._parse_unary()), start)
        if self._match(TokenType.PLUS):
            return self._parse_unary()
        if self._match(TokenType.NOT):
            return self.span_node(exp.Not(this=self._parse_equality()), start)
        operand = self.operand()
        while self._curr.token_type in (TokenType.DOT, TokenType.L_BRACKET):
            operand = self.member(operand) if self._match(TokenType.DOT) else self.index(operand)
            operand = self.span_node(operand, start)
        return operand

    def operand(self) -> Node:
        token = self._curr
        if not token:
            raise self.refuse_token()
        self._advance()
        match token.token_type:
            case TokenType.NUMBER:
                return self.number(token)
            case TokenType.STRING | TokenType.RAW_STRING:
                return self.span_node(exp.Literal.string(token.text), token.start)
            case TokenType.NULL:
                return self.span_node(exp.Null(), token.start)
            case TokenType.TRUE | TokenType.FALSE:
                return self.span_node(exp.Boolean(this=token.token_type is TokenType.TRUE), token.start)
            case TokenType.VAR | TokenType.IDENTIFIER:
                return self.call(token) if self._curr.token_type is TokenType.L_PAREN else self.name(token)
            case TokenType.RLIKE if self._curr.token_type is TokenType.L_PAREN:
                return self.call(token)
            case TokenType.L_PAREN:
                tree = self.value()
                self.expect(TokenType.R_PAREN, ")")
                return self.span_node(exp.Paren(this=tree), token.start)
            case TokenType.CASE:
                return self._parse_case()
        self._advance(-1)
        raise self.refuse_token()

    def number(self, token: Token) -> Node:
        """A number, including the BD of a decimal."""
        after = self._curr
        is_decimal = after.token_type is TokenType.VAR and after.start == token.end + 1 and after.text.upper() == "BD"
        if is_decimal:
            self._advance()
        return self.span_node(exp.Literal.number(token.text + DECIMAL * is_decimal), token.start)

    def name(self, token: Token) -> Node:
        is_quoted = token.token_type is TokenType.IDENTIFIER
        identifier = exp.Identifier(this=token.text, quoted=is_quoted)
        return self.span_node(exp.Column(this=self.span_node(identifier, token.start)), token.start)

    def member(self, of: Node) -> Node:
        token = self._curr
        if token.token_type not in (TokenType.VAR, TokenType.IDENTIFIER):
            raise self.refuse_token("the name of a field")
        self._advance()
        if self._curr.token_type is TokenType.L_PAREN:
            where = of.meta["span"][0], token.end + 1
            raise ExpressionError(IssueCode.TEXT_METHOD, {"function": token.text}, where)
        identifier = exp.Identifier(this=token.text, quoted=token.token_type is TokenType.IDENTIFIER)
        return exp.Dot(this=of, expression=self.span_node(identifier, token.start))

    def index(self, of: Node) -> Node:
        self.expect(TokenType.L_BRACKET, "[")
        position = self.value()
        self.expect(TokenType.R_BRACKET, "]")
        return exp.Bracket(this=of, expressions=[position])

    def call(self, token: Token) -> Node:
        """`name(arguments)`, always as an Anonymous: the check decides what names mean."""
        if token.token_type is TokenType.IDENTIFIER:
            raise ExpressionError(IssueCode.TEXT_QUOTED_FUNCTION, {}, find_token_span(token))
        self.expect(TokenType.L_PAREN, "(")
        if token.text.upper() in ("CAST", "TRY_CAST"):
            return self.cast(token)
        arguments = self.arguments() if self._curr.token_type is not TokenType.R_PAREN else []
        self.expect(TokenType.R_PAREN, ") or ,")
        return self.span_node(exp.Anonymous(this=token.text, expressions=arguments), token.start)

    def cast(self, token: Token) -> Node:
        tree = self.value()
        if not self._match_text_seq("AS"):
            raise self.refuse_token("AS and a type, as in CAST(x AS STRING)")
        to = self._curr
        if to.token_type is not TokenType.VAR:
            raise self.refuse_token("the name of a type")
        self._advance()
        sizes = self.sizes()
        target = self.span_node(exp.Var(this=to.text), to.start)
        self.expect(TokenType.R_PAREN, ")")
        target.meta["sizes"] = sizes
        safe = token.text.upper() == "TRY_CAST"
        return self.span_node((exp.TryCast if safe else exp.Cast)(this=tree, to=target), token.start)

    def sizes(self) -> list[str]:
        """The digits of `(10, 2)` after the name of a type."""
        digits: list[str] = []
        if not self._match(TokenType.L_PAREN):
            return digits
        while not digits or self._match(TokenType.COMMA):
            digits.append(self._curr.text)
            self.expect(TokenType.NUMBER, "digits, as in DECIMAL(10, 2)")
        self.expect(TokenType.R_PAREN, ") or ,")
        return digits

    def arguments(self) -> list[Node]:
        nodes = [self.argument()]
        while self._match(TokenType.COMMA):
            nodes.append(self.argument())
        return nodes

    def argument(self) -> Node:
        """A value, or a lambda: `x -> value`, `(x, y) -> value`."""
        start, names = self._curr.start, self.lambda_names()
        if names is None:
            return self.value()
        return self.span_node(exp.Lambda(this=self.value(), expressions=names), start)

    def lambda_names(self) -> list[Node] | None:
        """The names in front of an arrow, which it reads, too. None if it is not the start of a lambda."""
        at = self._index
        names = [self._curr]
        if self._match(TokenType.L_PAREN):
            names = [self._curr]
            self._advance()
            while self._match(TokenType.COMMA):
                names.append(self._curr)
                self._advance()
            is_lambda = self._match(TokenType.R_PAREN) and self._match(TokenType.ARROW)
        else:
            self._advance()
            is_lambda = self._match(TokenType.ARROW)
        if is_lambda and all(name.token_type in (TokenType.VAR, TokenType.IDENTIFIER) for name in names):
            return [exp.Identifier(this=name.text) for name in names]
        self._advance(at - self._index)
        return None

    def values(self) -> list[Node]:
        nodes = [self.value()]
        while self._match(TokenType.COMMA):
            nodes.append(self.value())
        return nodes

    def _parse_case(self) -> Node:
        start = self._prev.start
        operand = self.value() if self._curr.token_type is not TokenType.WHEN else None
        whens: list[Node] = []
        while not whens or self._curr.token_type is TokenType.WHEN:
            self.expect(TokenType.WHEN, "WHEN")
            condition = self.value()
            self.expect(TokenType.THEN, "THEN")
            whens.append(exp.If(this=condition, true=self.value()))
        default = self.value() if self._match(TokenType.ELSE) else None
        self.expect(TokenType.END, "WHEN, ELSE or END")
        return self.span_node(exp.Case(this=operand, ifs=whens, default=default), start)

    def _parse_in(self, this: Node | None, alias: bool = False) -> exp.In:
        assert this is not None
        if self._curr.token_type is TokenType.L_BRACKET:
            raise self.list_in_brackets()
        self.expect(TokenType.L_PAREN, "a list in parentheses, as in IN (1, 2)")
        items = self.values()
        self.expect(TokenType.R_PAREN, ") or ,")
        return self.span_node(exp.In(this=this, expressions=items), find_node_span(this)[0])

    def _parse_between(self, this: Node | None) -> exp.Between:
        assert this is not None
        low = self._parse_bitwise()
        self.expect(TokenType.AND, "AND")
        return self.span_node(exp.Between(this=this, low=low, high=self._parse_bitwise()), find_node_span(this)[0])

    def _parse_is(self, this: Node | None) -> Node:
        assert this is not None
        start = find_node_span(this)[0]
        is_negated = self._match(TokenType.NOT)
        if self._match_text_seq("DISTINCT", "FROM"):
            same = self.span_node(exp.NullSafeEQ(this=this, expression=self._parse_bitwise()), start)
            return same if is_negated else self.span_node(exp.Not(this=same), start)
        token = self._curr
        if token.token_type is TokenType.VAR and token.text in ("None", "null", "nil", "undefined"):
            new_text = self.sql[: token.start] + "NULL" + self.sql[token.end + 1 :]
            raise ExpressionError(
                IssueCode.TEXT_NULL,
                {"written": token.text},
                find_token_span(token),
                Fix(FixCode.USE, new_text, "`NULL`"),
            )
        if token.token_type not in (TokenType.NULL, TokenType.TRUE, TokenType.FALSE):
            raise self.refuse_token("NULL, TRUE or FALSE")
        what = self.operand()
        node = self.span_node(exp.Is(this=this, expression=what), start)
        return self.span_node(exp.Not(this=node), start) if is_negated else node

    def pattern(self, kind: type[exp.Binary], this: Node) -> Node:
        return self.span_node(kind(this=this, expression=self._parse_bitwise()), find_node_span(this)[0])

    def expression(self, instance: N, token: Token | None = None, comments: list[str] | None = None) -> N:
        """sqlglot calls it for each operator that it has read. The last token belongs to the right operand."""
        first = next(instance.iter_expressions())
        return self.span_node(instance, find_node_span(first)[0])

    def span_node(self, node: N, start: int) -> N:
        node.meta["span"] = (start, self._prev.end + 1)
        return node

    def expect(self, kind: TokenType, expectation: str) -> None:
        if not self._match(kind):
            raise self.refuse_token(expectation)

    def refuse_token(self, expectation: str = "") -> ExpressionError:
        """The current token is not allowed there."""
        token = self._curr
        if not token:
            end = len(self.sql.rstrip())
            return ExpressionError(
                IssueCode.TEXT_ENDS_EARLY, {"expected": expectation or "a value"}, (max(end - 1, 0), end)
            )
        for suspect in (token, self._prev):
            if forms := REFUSED_WORDS.get(suspect.text.upper()):
                return ExpressionError(IssueCode.TEXT_SQL, {"forms": forms}, find_token_span(suspect))
        return ExpressionError(
            IssueCode.TEXT_MISPLACED,
            {"sign": token.text[:40], "expected": expectation or None, "instead": SIGNS_INSTEAD.get(token.text)},
            find_token_span(token),
        )

    def list_in_brackets(self) -> ExpressionError:
        depth, end = 0, self._index
        for end in range(self._index, self._tokens_size):
            depth += {TokenType.L_BRACKET: 1, TokenType.R_BRACKET: -1}.get(self._tokens[end].token_type, 0)
            if depth == 0:
                break
        first, last = self._curr, self._tokens[end]
        new_text = self.sql[: first.start] + "(" + self.sql[first.end + 1 : last.start] + ")" + self.sql[last.end + 1 :]
        return ExpressionError(IssueCode.TEXT_LIST, {}, find_token_span(first), Fix(FixCode.USE, new_text, "( )"))


def find_node_span(node: Node) -> Span:
    """The span of a node: its own note, or from its first to its last part with one."""
    place: Span | None = node.meta.get("span")
    if place is None:
        parts = [find_node_span(part) for part in node.iter_expressions()]
        place = (min((s for s, _ in parts), default=0), max((e for _, e in parts), default=0))
    return place


def read(tokens: list[Token], text: str) -> Node:
    return Grammar(dialect=Dialect.get_or_raise(Words)).read(tokens, text)
