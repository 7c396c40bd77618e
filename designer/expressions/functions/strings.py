"""Texts, counted in characters (Unicode code points) from 1, as in SQL. Growth is capped."""

from __future__ import annotations

import hashlib

from designer.expressions.errors import Fault
from designer.expressions.functions.limits import check_length, check_text
from designer.expressions.functions.table import function


@function("length(text: binary) -> integer", "char_length", "character_length", "len")
def length(text: str | bytes) -> int:
    """The number of characters, or of bytes.
    length('Zürich') = 6
    length(CAST('Zürich' AS BINARY)) = 7
    """
    return len(text)


@function("lower(text: string) -> string", "lcase")
def lower(text: str) -> str:
    """The text in lowercase.
    lower('SQL') = 'sql'
    """
    return text.lower()


@function("upper(text: string) -> string", "ucase")
def upper(text: str) -> str:
    """The text in uppercase.
    upper('sql') = 'SQL'
    """
    return text.upper()


@function("initcap(text: string) -> string")
def initcap(text: str) -> str:
    """The text with each word's first letter in uppercase and the others in lowercase.
    initcap('new YORK') = 'New York'
    """
    return " ".join(word[:1].upper() + word[1:].lower() for word in text.split(" "))


@function("trim(text: string) -> string")
def trim(text: str) -> str:
    """The text without spaces at both ends.
    trim('  a ') = 'a'
    """
    return text.strip(" ")


@function("ltrim(text: string) -> string")
def ltrim(text: str) -> str:
    """The text without spaces at the start.
    ltrim('  a ') = 'a '
    """
    return text.lstrip(" ")


@function("rtrim(text: string) -> string")
def rtrim(text: str) -> str:
    """The text without spaces at the end.
    rtrim('  a ') = '  a'
    """
    return text.rstrip(" ")


@function("btrim(text: string, characters: string) -> string")
def btrim(text: str, characters: str) -> str:
    """The text without these characters at both ends.
    btrim('--a-b-', '-') = 'a-b'
    """
    return text.strip(characters) if characters else text


@function("substring(text: string, start: integer, [length: integer]) -> string", "substr")
def substring(text: str, start: int, length: int | None = None) -> str:
    """The given number of characters from a position; a negative position counts from the end.
    substring('Spark SQL', 5, 1) = 'k'
    substring('Spark SQL', -3) = 'SQL'
    """
    first = start - 1 if start > 0 else len(text) + start if start < 0 else 0
    last = len(text) if length is None else first + length
    return text[max(first, 0) : max(last, 0)]


@function("left(text: string, length: integer) -> string")
def left(text: str, length: int) -> str:
    """The given number of characters from the start.
    left('Spark', 3) = 'Spa'
    """
    return text[: max(length, 0)]


@function("right(text: string, length: integer) -> string")
def right(text: str, length: int) -> str:
    """The given number of characters from the end.
    right('Spark', 3) = 'ark'
    """
    return text[-length:] if length > 0 else ""


@function("concat(parts: text...) -> string")
def concat(*parts: str) -> str:
    """The parts joined, like ||; null if one is null.
    concat('a', 1, TRUE) = 'a1true'
    concat('a', NULL) IS NULL
    """
    return check_text("".join(parts))


@function("concat_ws(separator: string, parts: text...) -> string?", takes_nulls=True)
def concat_ws(separator: str | None, *parts: str | None) -> str | None:
    """The parts joined by a separator; nulls are left out.
    concat_ws('-', 'a', NULL, 'b') = 'a-b'
    """
    if separator is None:
        return None
    present = [part for part in parts if part is not None]
    check_length(sum(map(len, present)) + len(separator) * len(present))
    return separator.join(present)


@function("replace(text: string, old: string, [new: string]) -> string")
def replace(text: str, old: str, new: str = "") -> str:
    """Replaces every occurrence of one text by another, or removes it.
    replace('a-b-c', '-', '+') = 'a+b+c'
    replace('a-b', '-') = 'ab'
    """
    if not old:
        return text
    if len(new) > len(old):
        check_length(len(text) + text.count(old) * (len(new) - len(old)))
    return text.replace(old, new)


@function("translate(text: string, from: string, to: string) -> string")
def translate(text: str, old: str, new: str) -> str:
    """Replaces characters one by one; removes those without a counterpart.
    translate('translate', 'rnlt', '123') = '1a2s3ae'
    """
    mapping: dict[int, str | None] = {}
    for index, character in enumerate(old):
        mapping.setdefault(ord(character), new[index] if index < len(new) else None)
    return text.translate(mapping)


@function("split_part(text: string, delimiter: string, part: integer) -> string")
def split_part(text: str, delimiter: str, part: int) -> str:
    """One part of a text between delimiters; empty past the last. Parts start at 1; negative ones count from the end.
    split_part('11.12.13', '.', 3) = '13'
    split_part('11.12.13', '.', -3) = '11'
    """
    if part == 0:
        raise Fault("In split_part, parts start at 1, not 0.")
    parts = text.split(delimiter) if delimiter else [text]
    index = part - 1 if part > 0 else part
    return parts[index] if -len(parts) <= index < len(parts) else ""


@function("substring_index(text: string, delimiter: string, count: integer) -> string")
def substring_index(text: str, delimiter: str, count: int) -> str:
    """The text before the n-th delimiter; with a negative count, after the n-th delimiter from the end.
    substring_index('www.apache.org', '.', 2) = 'www.apache'
    substring_index('www.apache.org', '.', -1) = 'org'
    """
    if not delimiter or not count:
        return ""
    if abs(count) > len(text):
        return text
    if count > 0:
        return delimiter.join(text.split(delimiter, count)[:count])
    return delimiter.join(text.rsplit(delimiter, -count)[count:])


@function("lpad(text: string, length: integer, [fill: string]) -> string")
def lpad(text: str, length: int, fill: str = " ") -> str:
    """The text with the given length: filled on the left, or cut on the right.
    lpad('7', 3, '0') = '007'
    lpad('hello', 2) = 'he'
    """
    return _make_filling(text, length, fill) + left(text, length)


@function("rpad(text: string, length: integer, [fill: string]) -> string")
def rpad(text: str, length: int, fill: str = " ") -> str:
    """The text with the given length: filled or cut on the right.
    rpad('hi', 5, 'ab') = 'hiaba'
    rpad('hello', 2) = 'he'
    """
    return left(text, length) + _make_filling(text, length, fill)


def _make_filling(text: str, length: int, fill: str) -> str:
    missing = length - len(text)
    if missing <= 0 or not fill:
        return ""
    check_length(length)
    return (fill * (missing // len(fill) + 1))[:missing]


@function("startswith(text: string, start: string) -> boolean")
def startswith(text: str, start: str) -> bool:
    """True if the text starts with `start`.
    startswith('Spark', 'Sp')
    """
    return text.startswith(start)


@function("endswith(text: string, end: string) -> boolean")
def endswith(text: str, end: str) -> bool:
    """True if the text ends with `end`.
    endswith('Spark', 'rk')
    """
    return text.endswith(end)


@function("contains(text: string, part: string) -> boolean")
def contains(text: str, part: str) -> bool:
    """True if the text contains the part.
    contains('Spark', 'par')
    """
    return part in text


@function("instr(text: string, part: string) -> integer")
def instr(text: str, part: str) -> int:
    """The first position of the part, from 1; 0 if the text does not contain it.
    instr('Spark', 'ar') = 3
    """
    return text.find(part) + 1


@function("locate(part: string, text: string, [start: integer]) -> integer", "position")
def locate(part: str, text: str, start: int = 1) -> int:
    """The first position of the part at or after `start`, from 1; 0 if there is none.
    locate('a', 'banana', 3) = 4
    """
    return text.find(part, start - 1) + 1 if start > 0 else 0


@function("reverse(text: string) -> string")
def reverse(text: str) -> str:
    """The characters from last to first.
    reverse('abc') = 'cba'
    """
    return text[::-1]


@function("ascii(text: string) -> integer")
def ascii_(text: str) -> int:
    """The number of the first character; 0 for an empty text.
    ascii('A') = 65
    """
    return ord(text[0]) if text else 0


@function("md5(text: string) -> string")
def md5(text: str) -> str:
    """The MD5 sum of the text's UTF-8 bytes, in hex.
    md5('Spark') = '8cde774d6f7333752ed72cacddb05126'
    """
    return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()


@function("sha2(text: string, bits: integer) -> string?")
def sha2(text: str, bits: int) -> str | None:
    """The SHA-2 sum of 224, 256, 384 or 512 bits (0 is 256) of the text's UTF-8 bytes, in hex; else null.
    left(sha2('Spark', 256), 8) = '529bc3b0'
    sha2('Spark', 1) IS NULL
    """
    name = {0: "sha256", 224: "sha224", 256: "sha256", 384: "sha384", 512: "sha512"}.get(bits)
    return hashlib.new(name, text.encode()).hexdigest() if name else None
