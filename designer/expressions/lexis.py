"""The words of an expression: text to tokens by sqlglot's tokenizer, with a short list of keywords.

Other words (SELECT, OVER, EXISTS, USING…) are only names, so they cannot reach any grammar. It checks sizes first,
refuses comments and odd characters, and reports unbalanced brackets and slips.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from sqlglot import tokens
from sqlglot.dialects.dialect import Dialect
from sqlglot.errors import TokenError
from sqlglot.tokenizer_core import Token, TokenType

from designer.expressions.errors import ExpressionError, Span
from designer.issues import Fix
from designer.messages import FixCode, IssueCode

MAX_CHARACTERS = 4_096
MAX_WORDS = 700
"""Words and signs, more than two for each part of a tree: a longer text would be read only to be refused."""
WORD_OR_SIGN = re.compile(
    r"""'(?:[^'\\]|\\.)*'?|"(?:[^"\\]|\\.)*"?|`[^`]*`?|\d+(?:\.\d+)?|\w+|[<>=!|&:]{1,3}|\S""", re.DOTALL
)
MAX_DEPTH = 32

IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
OPENING = {TokenType.L_PAREN: ")", TokenType.L_BRACKET: "]", TokenType.CASE: "END"}
CLOSING = {TokenType.R_PAREN: ")", TokenType.R_BRACKET: "]", TokenType.END: "END"}
PREFIXES = {TokenType.NOT, TokenType.DASH, TokenType.PLUS}
UNKNOWN_ESCAPE = re.compile(r"""(?<!\\)(?:\\\\)*(\\[^\\'"`0bnrtZ%_uU])""")
ODD_SPACE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029]")
"""Control characters and separators of lines that Python takes for spaces."""
TYPOGRAPHIC = str.maketrans("‘’‚“”„´", "'''''''")


class Words(Dialect):
    """Spark's quoting and escapes, and the keywords of scalar expressions only."""

    class Tokenizer(tokens.Tokenizer):
        QUOTES = ["'"]
        IDENTIFIERS = ["`", '"']
        RAW_STRINGS = [("r'", "'"), ("R'", "'")]
        STRING_ESCAPES = ["'", "\\"]
        STRING_ESCAPES_ALLOWED_IN_RAW_STRINGS = False
        NUMERIC_ESCAPES = {"u": (16, 4, 4, 0xFFFF), "U": (16, 8, 8, 0x10FFFF)}
        KEYWORDS = {
            **{word: TokenType[word] for word in ("AND", "OR", "NOT", "IN", "IS", "BETWEEN", "LIKE", "ILIKE", "RLIKE")},
            **{word: TokenType[word] for word in ("CASE", "WHEN", "THEN", "ELSE", "END", "NULL", "TRUE", "FALSE")},
            "DIV": TokenType.DIV,
            "REGEXP": TokenType.RLIKE,
            "<=>": TokenType.NULLSAFE_EQ,
            "<>": TokenType.NEQ,
            "!=": TokenType.NEQ,
            "<=": TokenType.LTE,
            ">=": TokenType.GTE,
            "||": TokenType.DPIPE,
            "==": TokenType.EQ,
            "===": TokenType.EQ,
            "!==": TokenType.NEQ,
            ":=": TokenType.EQ,
            "&&": TokenType.AND,
            "->": TokenType.ARROW,
        }


KEYWORDS = frozenset(word for word in Words.Tokenizer.KEYWORDS if word.isalpha())
WORDS = frozenset(Words.Tokenizer.KEYWORDS[word] for word in KEYWORDS)
SLIPS = {
    "==": ("=", IssueCode.TEXT_EQUALITY),
    "===": ("=", IssueCode.TEXT_EQUALITY),
    "!==": ("<>", IssueCode.TEXT_INEQUALITY),
    ":=": ("=", IssueCode.TEXT_ASSIGNMENT),
    "&&": ("AND", IssueCode.TEXT_AND),
    "!": ("NOT", IssueCode.TEXT_NOT),
}


def read_tokens(text: str) -> list[Token]:
    """The tokens of `text`. A keyword after a dot becomes a name. Raises ExpressionError."""
    if len(text) > MAX_CHARACTERS:
        raise ExpressionError(IssueCode.TEXT_TOO_LONG, {"characters": len(text), "max_characters": MAX_CHARACTERS})
    if (count := count_words(text)) > MAX_WORDS:
        raise ExpressionError(IssueCode.TEXT_MANY_WORDS, {"words": count, "max_words": MAX_WORDS})
    tokens = _read_words(text)
    if not tokens:
        raise ExpressionError(IssueCode.TEXT_EMPTY, {})
    _mark_names_after_dots(tokens)
    _refuse_comments(text, tokens)
    _refuse_odd_spaces(text, tokens)
    _refuse_odd_words(text, tokens)
    _refuse_slips(text, tokens)
    _check_balance(text, tokens)
    return tokens


def count_words(text: str) -> int:
    """Number of words and signs in a text: the cost of reading it, without reading it."""
    return sum(1 for _ in WORD_OR_SIGN.finditer(text))


def find_token_span(token: Token) -> Span:
    return token.start, token.end + 1


def _read_words(text: str) -> list[Token]:
    try:
        return Words().tokenize(text)
    except TokenError as error:
        missing = re.search(r"Missing (.) from \d+:(\d+)", str(error.__cause__))
        if missing is None:
            raise ExpressionError(IssueCode.TEXT_UNREADABLE, {}) from None
        raise ExpressionError(
            IssueCode.TEXT_OPEN_QUOTE,
            {"quote": missing[1]},
            (min(int(missing[2]), len(text) - 1), len(text)),
            Fix(FixCode.ADD, text + missing[1], missing[1]),
        ) from None


def _mark_names_after_dots(tokens: list[Token]) -> None:
    for before, token in pairwise(tokens):
        if before.token_type is TokenType.DOT and token.token_type in WORDS:
            token.token_type = TokenType.VAR


def _find_gaps(text: str, tokens: list[Token]) -> Iterator[Span]:
    at = 0
    for token in tokens:
        yield at, token.start
        at = token.end + 1
    yield at, len(text)


def _refuse_comments(text: str, tokens: list[Token]) -> None:
    for start, end in _find_gaps(text, tokens):
        gap = text[start:end]
        if gap.strip():
            start += len(gap) - len(gap.lstrip())
            without = (text[:start].rstrip() + " " + text[end:].lstrip()).strip()
            raise ExpressionError(
                IssueCode.TEXT_COMMENT,
                {},
                (start, end),
                Fix(FixCode.REMOVE_COMMENT, without),
            )


def _refuse_odd_spaces(text: str, tokens: list[Token]) -> None:
    """Spaces of any width may separate words, but not characters that look like a line end or are invisible."""
    spans = [space.span() for start, end in _find_gaps(text, tokens) for space in ODD_SPACE.finditer(text, start, end)]
    if spans:
        raise ExpressionError(
            IssueCode.TEXT_INVISIBLE,
            {"character": _name_character(text[spans[0][0]])},
            spans[0],
            Fix(FixCode.WRITE_SPACE, _replace(text, [(span, " ") for span in spans])),
        )


def _refuse_odd_words(text: str, tokens: list[Token]) -> None:
    for token in tokens:
        word = text[token.start : token.end + 1]
        if token.token_type is TokenType.VAR and not IDENTIFIER.fullmatch(word):
            raise _describe_odd_word(text, token, word)
        if token.token_type is TokenType.STRING and (escape := UNKNOWN_ESCAPE.search(word)):
            raise ExpressionError(
                IssueCode.TEXT_ESCAPE,
                {"escape": escape[1], "written": word},
                find_token_span(token),
                Fix(FixCode.MAKE_RAW, _replace(text, [(find_token_span(token), "r" + word)])),
            )


def _describe_odd_word(text: str, token: Token, word: str) -> ExpressionError:
    if text.translate(TYPOGRAPHIC) != text:
        fix = Fix(FixCode.STRAIGHTEN_QUOTES, text.translate(TYPOGRAPHIC))
        return ExpressionError(IssueCode.TEXT_TYPOGRAPHIC, {}, find_token_span(token), fix)
    odd = next((sign for sign in word if not IDENTIFIER.fullmatch("_" + sign)), word[0])
    return ExpressionError(
        IssueCode.TEXT_CHARACTER, {"sign": repr(odd), "character": _name_character(odd)}, find_token_span(token)
    )


def _name_character(character: str) -> str:
    return f"U+{ord(character):04X}"


def _refuse_slips(text: str, tokens: list[Token]) -> None:
    """One click fixes all slips. The message names the first."""
    slips = [token for token in tokens if token.token_type is not TokenType.STRING and _find_correction(text, token)]
    ending = tokens[-1].token_type is TokenType.SEMICOLON and len(tokens) > 1
    if not slips and not ending:
        return
    edits = [(find_token_span(token), _find_correction(text, token)) for token in slips]
    if ending:
        edits.append(((tokens[-1].start, len(text)), ""))
    new_text = _replace(text, edits).strip()
    if not slips:
        raise ExpressionError(
            IssueCode.TEXT_SEMICOLON, {}, find_token_span(tokens[-1]), Fix(FixCode.REMOVE, new_text, "`;`")
        )
    slip = text[slips[0].start : slips[0].end + 1]
    word, code = SLIPS[slip]
    raise ExpressionError(
        code, {"written": slip, "word": word}, find_token_span(slips[0]), Fix(FixCode.USE, new_text, f"`{word}`")
    )


def _find_correction(text: str, token: Token) -> str:
    slip = text[token.start : token.end + 1]
    if slip not in SLIPS:
        return ""
    word = SLIPS[slip][0]
    if not word.isalpha():
        return word
    left, right = text[: token.start][-1:], text[token.end + 1 :][:1]
    return " " * (left not in "([" and not left.isspace()) + word + " " * (not right.isspace())


def _replace(text: str, edits: list[tuple[Span, str]]) -> str:
    for (start, end), new in reversed(edits):
        text = text[:start] + new + text[end:]
    return text


def _check_balance(text: str, tokens: list[Token]) -> None:
    """Every bracket and CASE must be closed, and the nesting shallow enough to read safely."""
    open_: list[Token] = []
    prefixes = 0
    for token in tokens:
        prefixes = prefixes + 1 if token.token_type in PREFIXES else 0
        if token.token_type in OPENING:
            open_.append(token)
        elif token.token_type in CLOSING:
            if not open_ or OPENING[open_[-1].token_type] != CLOSING[token.token_type]:
                raise _describe_stray_closing(text, token, open_)
            open_.pop()
        if len(open_) + prefixes > MAX_DEPTH:
            raise describe_depth(find_token_span(token))
    if open_:
        closing = "".join(f" {c}" if c == "END" else c for c in (OPENING[o.token_type] for o in reversed(open_)))
        raise ExpressionError(
            IssueCode.TEXT_OPEN,
            {"opening": open_[-1].text, "closing": closing.strip()},
            find_token_span(open_[-1]),
            Fix(FixCode.ADD, text.rstrip() + closing, f"`{closing.strip()}`"),
        )


def _describe_stray_closing(text: str, token: Token, open_: list[Token]) -> ExpressionError:
    if open_:
        opening = open_[-1]
        return ExpressionError(
            IssueCode.TEXT_CLOSES_OTHER,
            {"closing": token.text, "opening": opening.text, "expected": OPENING[opening.token_type]},
            find_token_span(token),
        )
    fix = Fix(FixCode.REMOVE, _replace(text, [(find_token_span(token), "")]).strip(), f"`{token.text}`")
    return ExpressionError(IssueCode.TEXT_CLOSES_NOTHING, {"closing": token.text}, find_token_span(token), fix)


def describe_depth(span: Span | None = None) -> ExpressionError:
    return ExpressionError(IssueCode.TEXT_TOO_DEEP, {"max_depth": MAX_DEPTH}, span)
