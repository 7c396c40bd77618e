"""What each form of an expression is in Java. `tests/conformance/exported` compiles such methods and runs them."""

from __future__ import annotations

import pytest

from designer.expressions import check
from designer.expressions.java import JavaMethod, NotInJava, find_java_type, make_java_method
from designer.topology.catalogue import Scope
from designer.values.schemas import ANY, BOOLEAN, BYTES, DOUBLE, INTEGER, STRING, Kind, Type, decimal, map_of, struct

VALUE = struct(x=INTEGER, y=STRING)
NAMES = {"n": INTEGER, "m": INTEGER, "d": DOUBLE, "e": DOUBLE, "s": STRING, "b": BOOLEAN, "c": BOOLEAN, "raw": BYTES}
NAMES |= {"price": decimal(10, 2), "any": ANY, "tags": Type(Kind.LIST, item=STRING), "prices": map_of(DOUBLE)}
NAMES |= {"at": struct(city=STRING, zip=INTEGER), "value": VALUE, "timestamp": INTEGER}
NAMES |= {"micros": Type(Kind.INTEGER, logical="timestamp-micros")}
TYPES = {name: find_java_type(held) for name, held in NAMES.items()} | {"timestamp": "long"}


def method(text: str) -> JavaMethod:
    return make_java_method(check(text, Scope(NAMES, spread="value")), "result", TYPES)


def body(text: str) -> str:
    """The statements of the method on one line."""
    return " ".join(line.strip() for line in method(text).lines[1:-1])


def strict(java: str, *operands: str) -> str:
    """The statements that give null if an operand is null, and else what `java` gives."""
    tests = " || ".join(f"{operand} == null" for operand in operands)
    return f"if ({tests}) {{ return null; }} return {java};" if tests else f"return {java};"


def logic(decided: str, unknown: str, *, by: str, otherwise: str) -> str:
    return f"return {decided} ? Boolean.{by} : {unknown} ? null : Boolean.{otherwise};"


@pytest.mark.parametrize(
    ("text", "java"),
    [
        ("7", "7L"),
        ("-7", "-7L"),
        ("-9223372036854775808", "Long.MIN_VALUE"),
        ("1.5", "1.5"),
        ("1.5BD", 'new BigDecimal("1.5")'),
        ("TRUE", "true"),
        ("FALSE", "false"),
        ("NULL", "null"),
        ("'a \"b\"'", '"a \\"b\\""'),
        ("s", "s"),
        ("timestamp", "timestamp"),
        ("any.x", 'Sql.member(any, "x")'),
        ("at.city", '(String) Sql.get(at, "city")'),
        ("x", '(Long) Sql.get(value, "x")'),
        ("prices['CHF']", '(Double) Sql.get(prices, "CHF")'),
    ],
)
def test_a_literal_or_a_name_is_one_of_java(text: str, java: str):
    assert body(text) == f"return {java};"


@pytest.mark.parametrize(
    ("text", "operands", "java"),
    [
        ("-n", "n", "Math.negateExact(n)"),
        ("-(d + e)", "d e", "-(d + e)"),
        ("-(price + 1)", "price", "Sql.plus(price, 1L, 11, 2).negate()"),
        ("-any", "any", "Sql.negate(Sql.asNumber(any))"),
        ("n + m", "n m", "Math.addExact(n, m)"),
        ("n - 1", "n", "Math.subtractExact(n, 1L)"),
        ("n * m", "n m", "Math.multiplyExact(n, m)"),
        ("n / m", "n m", "Sql.divide((double) n, (double) m)"),
        ("n % m", "n m", "n % m"),
        ("n DIV m", "n m", "Sql.wholeQuotient(n, m)"),
        ("(n + 1) % (m - 2)", "n m", "Math.addExact(n, 1L) % Math.subtractExact(m, 2L)"),
        ("d - 1", "d", "d - 1L"),
        ("d * (e + 1.0)", "d e", "d * (e + 1.0)"),
        ("d / e", "d e", "Sql.divide(d, e)"),
        ("d % n", "d n", "Sql.doubleRemainder(d, (double) n)"),
        ("any + n", "any n", "Sql.plus(Sql.asNumber(any), n)"),
        ("n - any", "n any", "Sql.minus(n, Sql.asNumber(any))"),
        ("any * 2", "any", "Sql.times(Sql.asNumber(any), 2L)"),
        ("any % n", "any n", "Sql.remainder(Sql.asNumber(any), n)"),
        ("any / n", "any n", "Sql.divide(Sql.toDouble(Sql.asReal(any)), (double) n)"),
        ("any + d", "any d", "Sql.toDouble(Sql.asReal(any)) + d"),
        ("d + any", "d any", "d + Sql.toDouble(Sql.asReal(any))"),
        ("any DIV n", "any n", "Sql.wholeQuotient(Sql.asLong(any), n)"),
        ("price + 1", "price", "Sql.plus(price, 1L, 11, 2)"),
        ("1 - price", "price", "Sql.minus(1L, price, 11, 2)"),
        ("price * 2", "price", "Sql.product(price, 2L, 12, 2)"),
        ("price / 3", "price", "Sql.quotient(price, 3L, 14, 6)"),
        ("price % 2", "price", "Sql.rest(price, 2L, 3, 2)"),
        ("price DIV 2", "price", "Sql.wholeQuotient(price, 2L)"),
        ("price + d", "price d", "price.doubleValue() + d"),
    ],
)
def test_arithmetic_fails_over_64_bits_and_computes_by_the_types_of_both_sides(text: str, operands: str, java: str):
    assert body(text) == strict(java, *operands.split())


@pytest.mark.parametrize(
    ("text", "operands", "java"),
    [
        ("n = m", "n m", "n.longValue() == m"),
        ("n <> m", "n m", "n.longValue() != m"),
        ("d = e", "d e", "d.doubleValue() == e"),
        ("n = 1", "n", "n == 1L"),
        ("1 <> n", "n", "1L != n"),
        ("n = timestamp", "n", "n == timestamp"),
        ("unix_millis(n) = unix_millis(m)", "n m", "((long) n) == ((long) m)"),
        ("n + 1 >= m", "n m", "Math.addExact(n, 1L) >= m"),
        ("d < 2.5", "d", "d < 2.5"),
        ("n < d", "n d", "Sql.less(n, d)"),
        ("n = d", "n d", "Sql.equal(n, d)"),
        ("(s || 'x') = 'yx'", "s", '(s + "x").equals("yx")'),
        ("s <> 'x'", "s", '!s.equals("x")'),
        ("s < 'b'", "s", 'Sql.less(s, "b")'),
        ("s >= 'b'", "s", 'Sql.atLeast(s, "b")'),
        ("b = c", "b c", "b.equals(c)"),
        ("b <> TRUE", "b", "!b.equals(true)"),
        ("(n > 1) = b", "n b", "Boolean.valueOf(n > 1L).equals(b)"),
        ("b < c", "b c", "Sql.less(b, c)"),
        ("price = 1", "price", "Sql.equal(price, 1L)"),
        ("price <> 1", "price", "Sql.unequal(price, 1L)"),
        ("price <= 1", "price", "Sql.atMost(price, 1L)"),
        ("price > any", "price any", "Sql.more(price, any)"),
        ("n <=> NULL", "", "Sql.same(n, null)"),
        ("n + 1 <=> m", "", "Sql.same(n == null ? null : Math.addExact(n, 1L), m)"),
    ],
)
def test_boxed_numbers_are_compared_by_what_they_hold(text: str, operands: str, java: str):
    assert body(text) == strict(java, *operands.split())


@pytest.mark.parametrize(
    ("text", "operands", "java"),
    [
        ("n IN (1, 2)", "n", "List.of(1L, 2L).contains(n)"),
        ("n NOT IN (1, 2)", "n", "!(List.of(1L, 2L).contains(n))"),
        ("s IN ('a', 'b')", "s", 'List.of("a", "b").contains(s)'),
        ("n IN (1, m)", "n", "Sql.within(n, 1L, m)"),
        ("n IN (1, NULL)", "n", "Sql.within(n, 1L, (Object) null)"),
        ("n IN (1.5)", "n", "Sql.within(n, 1.5)"),
        ("d IN (1.5)", "d", "Sql.within(d, 1.5)"),
        ("n BETWEEN 1 AND 2", "n", "1L <= n && n <= 2L"),
        ("d BETWEEN 1.5 AND 2.5", "d", "1.5 <= d && d <= 2.5"),
        ("n BETWEEN timestamp AND timestamp + 1", "n", "timestamp <= n && n <= Math.addExact(timestamp, 1L)"),
        ("n + 1 BETWEEN 1 AND 2", "n", "Sql.between(Math.addExact(n, 1L), 1L, 2L)"),
        ("n BETWEEN m AND 9", "n", "Sql.between(n, m, 9L)"),
        ("n BETWEEN 1 AND m", "n", "Sql.between(n, 1L, m)"),
        ("n BETWEEN 1.5 AND 2", "n", "Sql.between(n, 1.5, 2L)"),
        ("n BETWEEN 1 AND 2.5", "n", "Sql.between(n, 1L, 2.5)"),
        ("s BETWEEN 'a' AND 'b'", "s", 'Sql.between(s, "a", "b")'),
        ("n IS NULL", "", "n == null"),
        ("n IS NOT NULL", "", "n != null"),
        ("1 IS NULL", "", "Long.valueOf(1L) == null"),
        ("n + 1 IS NOT NULL", "", "((n == null ? null : Math.addExact(n, 1L))) != null"),
        ("any + 1 IS NULL", "", "(any == null ? null : Sql.plus(Sql.asNumber(any), 1L)) == null"),
        ("b IS TRUE", "", "Boolean.TRUE.equals(b)"),
        ("b IS NOT FALSE", "", "!Boolean.FALSE.equals(b)"),
        ("(n > 1) IS FALSE", "", "Boolean.FALSE.equals(n == null ? null : n > 1L)"),
        ("NOT b", "b", "!b"),
        ("NOT (n > 1)", "n", "!(n > 1L)"),
        ("NOT any", "any", "!Sql.asBoolean(any)"),
        ("s || 'x' || n || raw", "s n raw", 's + "x" + Sql.text(n) + Sql.text(raw)'),
    ],
)
def test_tests_of_a_value_know_null_from_false(text: str, operands: str, java: str):
    assert body(text) == strict(java, *operands.split())


def test_and_is_false_by_one_that_is_false_before_null_counts():
    decided = "Boolean.FALSE.equals(b) || Boolean.FALSE.equals(c)"

    assert body("b AND c") == logic(decided, "b == null || c == null", by="FALSE", otherwise="TRUE")


def test_or_is_true_by_one_that_is_true_before_null_counts():
    decided = "Boolean.TRUE.equals(b) || Boolean.TRUE.equals(c)"

    assert body("b OR c") == logic(decided, "b == null || c == null", by="TRUE", otherwise="FALSE")


def test_conditions_that_are_never_null_are_joined_as_java_joins_them():
    assert body("n IS NULL AND m IS NULL") == "return (n == null) && (m == null);"
    assert body("n IS NULL OR m IS NULL") == "return (n == null) || (m == null);"
    assert body("n IS NULL AND b") == logic(
        "!(n == null) || Boolean.FALSE.equals(b)", "b == null", by="FALSE", otherwise="TRUE"
    )
    assert body("n IS NULL OR b") == logic(
        "(n == null) || Boolean.TRUE.equals(b)", "b == null", by="TRUE", otherwise="FALSE"
    )


def test_a_condition_is_computed_once_where_it_is_looked_at_twice():
    result = "Boolean.TRUE.equals(result = (n == null ? null : n > 1L)) || Boolean.TRUE.equals(b)"

    assert body("n > 1 OR b") == "Boolean result; " + logic(
        result, "result == null || b == null", by="TRUE", otherwise="FALSE"
    )


@pytest.mark.parametrize(
    ("text", "java"),
    [
        ("CASE WHEN b THEN 1 ELSE 2 END", "Sql.isTrue(b) ? Long.valueOf(1L) : Long.valueOf(2L)"),
        ("CASE WHEN b THEN 1.5 WHEN c THEN d END", "Sql.isTrue(b) ? Double.valueOf(1.5) : Sql.isTrue(c) ? d : null"),
        ("CASE WHEN n IS NULL THEN 'x' ELSE s END", '(n == null) ? "x" : s'),
        ("CASE WHEN n > 1 THEN b ELSE TRUE END", "Sql.isTrue(n == null ? null : n > 1L) ? b : Boolean.valueOf(true)"),
        ("CASE WHEN b THEN any ELSE 1 END", "Sql.isTrue(b) ? (Object) any : Long.valueOf(1L)"),
        ("CASE WHEN b THEN n + 1 ELSE m END", "Sql.isTrue(b) ? (n == null ? null : Math.addExact(n, 1L)) : m"),
        ("CASE WHEN b THEN d ELSE n END", "Sql.isTrue(b) ? d : (n == null ? null : (double) n)"),
        ("CASE n WHEN 1 THEN s WHEN m THEN 'y' END", 'Sql.isEqual(n, 1L) ? s : Sql.isEqual(n, m) ? "y" : null'),
        ("if(b, price, 1)", 'Sql.isTrue(b) ? price : new BigDecimal("1.00")'),
        ("if(b, if(c, n, 2), m)", "Sql.isTrue(b) ? (Sql.isTrue(c) ? n : Long.valueOf(2L)) : m"),
        ("coalesce(n, m, 0)", "n != null ? n : m != null ? m : Long.valueOf(0L)"),
        ("coalesce(n, NULL)", "n != null ? n : null"),
        ("coalesce(1, n)", "1L"),
        ("coalesce(b, n IS NULL, c)", "b != null ? b : n == null"),
        ("coalesce(any, 1)", "any != null ? any : Long.valueOf(1L)"),
        ("coalesce(n, 1) + 1", "Math.addExact(n != null ? n : Long.valueOf(1L), 1L)"),
        ("coalesce(1, n) = timestamp", "1L == timestamp"),
        ("coalesce(n, 1) = 1", "(n != null ? n : Long.valueOf(1L)) == 1L"),
        ("coalesce(n, 1) = coalesce(m, 1)",
         "(n != null ? n : Long.valueOf(1L)).longValue() == (m != null ? m : Long.valueOf(1L))"),
        ("nvl2(n, 1, 2)", "(n != null) ? Long.valueOf(1L) : Long.valueOf(2L)"),
    ],
)  # fmt: skip
def test_both_results_of_a_choice_are_objects_so_that_java_unboxes_no_null(text: str, java: str):
    assert body(text) == f"return {java};"


def test_what_a_choice_looks_at_several_times_is_computed_by_the_first_look():
    first, second = "result = (n == null ? null : Math.addExact(n, 1L))", "result"

    assert body("CASE n + 1 WHEN 1 THEN 'a' WHEN 2 THEN 'b' WHEN 3 THEN 'c' END") == (
        f'Long result; return Sql.isEqual({first}, 1L) ? "a" : '
        f'Sql.isEqual({second}, 2L) ? "b" : Sql.isEqual({second}, 3L) ? "c" : null;'
    )
    assert body("coalesce(n + 1, 0)") == f"Long result; return ({first}) != null ? {second} : Long.valueOf(0L);"
    assert body("coalesce(any + 1, 0)") == (
        "Object result; return (result = any == null ? null : Sql.plus(Sql.asNumber(any), 1L)) != null "
        "? result : Long.valueOf(0L);"
    )


def test_a_choice_without_null_among_its_results_is_used_without_a_test():
    assert body("CASE WHEN b THEN 1 ELSE 2 END + 1") == (
        "return Math.addExact(Sql.isTrue(b) ? Long.valueOf(1L) : Long.valueOf(2L), 1L);"
    )
    assert body("CASE WHEN b THEN 1 END + 1") == (
        "Long result = Sql.isTrue(b) ? Long.valueOf(1L) : null; if (result == null) { return null; } "
        "return Math.addExact(result, 1L);"
    )
    assert body("CASE WHEN b THEN n ELSE 1 END IN (1)") == (
        "Long result = Sql.isTrue(b) ? n : Long.valueOf(1L); if (result == null) { return null; } "
        "return List.of(1L).contains(result);"
    )


@pytest.mark.parametrize(
    ("text", "operands", "java"),
    [
        ("CAST(n AS STRING)", "n", "Sql.text(n)"),
        ("CAST(s AS BIGINT) + 1", "s", "Math.addExact(Sql.toLong(s), 1L)"),
        ("CAST(any AS DOUBLE) = 1.5", "any", "Sql.toDouble(any) == 1.5"),
        ("CAST(s AS BOOLEAN) = b", "s b", "Boolean.valueOf(Sql.toBoolean(s)).equals(b)"),
        ("CAST(s AS BINARY)", "s", "Sql.toBytes(s)"),
        ("CAST(s AS DECIMAL(10, 2))", "s", "Sql.toDecimal(s, 10, 2)"),
        ("CAST(n AS BIGINT) = m", "n m", "n.longValue() == m"),
        ("CAST(n + 1 AS BIGINT) = m", "n m", "Math.addExact(n, 1L) == m"),
        ("TRY_CAST(s AS BIGINT)", "s", "Sql.attempt(Sql::toLong, s)"),
        ("TRY_CAST(s AS DECIMAL(10, 2))", "s", "Sql.tryDecimal(s, 10, 2)"),
        ("TRY_CAST(n AS BIGINT)", "n", "n"),
    ],
)
def test_a_cast_is_a_method_of_its_type(text: str, operands: str, java: str):
    assert body(text) == strict(java, *operands.split())


@pytest.mark.parametrize(
    ("text", "operands", "java"),
    [
        ("lower(s)", "s", "s.toLowerCase(Locale.ROOT)"),
        ("upper(s || 'x')", "s", '(s + "x").toUpperCase(Locale.ROOT)'),
        ("lcase('A(')", "", '"A(".toLowerCase(Locale.ROOT)'),
        ("lower(s) || upper(s)", "s s", "s.toLowerCase(Locale.ROOT) + s.toUpperCase(Locale.ROOT)"),
        ("contains(s, 'a') = b", "s b", 'Boolean.valueOf(s.contains("a")).equals(b)'),
        ("unix_millis(n)", "n", "(long) n"),
        ("pi()", "", "Math.PI"),
        ("length(s) = n", "s n", "Sql.length(s) == n"),
        ("char_length(s)", "s", "Sql.length(s)"),
        ("substring_index(s, '.', 1)", "s", 'Sql.substringIndex(s, ".", 1L)'),
        ("concat_ws('-', s, 'x')", "", 'Sql.concatWs("-", s, "x")'),
        ("abs(n) = abs(m)", "n m", "((Long) Sql.absolute(n)).longValue() == ((Long) Sql.absolute(m))"),
        ("greatest(any, 1)", "", "Sql.greatest(any, 1L)"),
        ("greatest(n, NULL)", "", "(Long) Sql.greatest(n, (Long) null)"),
        ("isnan(NULL)", "", "Sql.isnan((Object) null)"),
        ("nullif(n + 1, 0)", "", "(Long) Sql.nullif(n == null ? null : Math.addExact(n, 1L), 0L)"),
        ("equal_null(n, 1)", "", "Sql.same(n, 1L)"),
        ("array(n, 1)", "", "Sql.array(n, 1L)"),
        ("array_contains(tags, 'x')", "tags", 'Sql.arrayContains(tags, "x")'),
        ("array_sort(tags)", "", "(List<Object>) Sql.arraySort(tags)"),
        ("filter(tags, x -> x = 'a')", "",
         '(List<Object>) Sql.filter(tags, x -> { String x2; '
         'return ((x2 = (String) x) == null ? null : x2.equals("a")); })'),
        ("transform(array(1), a -> transform(tags, (b2, i) -> i))", "",
         '(List<Object>) Sql.transform(Sql.array(1L), a -> (List<Object>) Sql.transform(tags, (b2, i) -> (Long) i))'),
        ("get(tags, 0)", "tags", "(String) Sql.itemOrNull(tags, 0L)"),
        ("tags[n]", "tags n", "(String) Sql.item(tags, n)"),
        ("any[0]", "any", "Sql.entry(any, 0L)"),
        ("size(any)", "any", "Sql.size(Sql.asItems(any))"),
        ("substring(any, 1)", "any", "Sql.substring(Sql.asString(any), 1L)"),
        ("named_struct('a', n, 'b c', s || 'x')", "", 'Sql.struct("a", n, "b c", s == null ? null : s + "x")'),
        ("get_json_object(s, '$.a[0]')", "s", 'Sql.getJsonObject(s, "a", 0)'),
        ("abs(price)", "price", "(BigDecimal) price.abs()"),
        ("ceil(price)", "price", "Sql.fit(price, 9, 0, RoundingMode.CEILING)"),
        ("ceiling(price)", "price", "Sql.fit(price, 9, 0, RoundingMode.CEILING)"),
        ("floor(price)", "price", "Sql.fit(price, 9, 0, RoundingMode.FLOOR)"),
        ("floor(d)", "d", "Sql.floor(d)"),
        ("round(price)", "price", "(BigDecimal) Sql.roundTo(price, 0L, 9, 0, RoundingMode.HALF_UP)"),
        ("bround(price, 1)", "price", "(BigDecimal) Sql.roundTo(price, 1L, 10, 1, RoundingMode.HALF_EVEN)"),
        ("pmod(n, 2)", "n", "(Long) Sql.pmod(n, 2L)"),
        ("if(b, price, CAST(1 AS DECIMAL(20, 4)))", "",
         'Sql.isTrue(b) ? (price == null ? null : Sql.fit(price, 20, 4)) : Sql.toDecimal(1L, 20, 4)'),
    ],
)  # fmt: skip
def test_a_function_is_java_s_own_or_a_method_of_sql(text: str, operands: str, java: str):
    assert body(text) == strict(java, *operands.split())


def test_an_operand_that_may_be_null_is_kept_in_a_local_of_its_name_and_type():
    assert body("at.zip + at.zip") == (
        'Long zip = (Long) Sql.get(at, "zip"); if (zip == null) { return null; } '
        'Long zip2 = (Long) Sql.get(at, "zip"); if (zip2 == null) { return null; } '
        "return Math.addExact(zip, zip2);"
    )
    assert body("element_at(tags, 1) || tags[0]") == (
        "if (tags == null) { return null; } String elementAt = (String) Sql.elementAt(tags, 1L); "
        "if (elementAt == null || tags == null) { return null; } String tags2 = (String) Sql.item(tags, 0L); "
        "if (tags2 == null) { return null; } return elementAt + tags2;"
    )
    assert body("TRY_CAST(s AS DOUBLE) > d") == (
        "if (s == null) { return null; } Double s2 = Sql.attempt(Sql::toDouble, s); "
        "if (s2 == null || d == null) { return null; } return s2 > d;"
    )
    assert body("NOT any.ok") == (
        'Object ok = Sql.member(any, "ok"); if (ok == null) { return null; } return !Sql.asBoolean(ok);'
    )


def test_a_local_within_a_condition_is_bound_where_it_is_tested():
    assert body("(at.zip > 1) IS TRUE") == (
        'Long zip; return Boolean.TRUE.equals((zip = (Long) Sql.get(at, "zip")) == null ? null : zip > 1L);'
    )
    assert body("coalesce(at.zip, 1)") == (
        'Long zip; return (zip = (Long) Sql.get(at, "zip")) != null ? zip : Long.valueOf(1L);'
    )


def test_patterns_are_constants_of_the_class_one_for_equal_ones():
    made = method("s LIKE 'a%b_c.d' IS TRUE OR s RLIKE '^a' IS TRUE OR s RLIKE '^a' IS TRUE")

    assert made.patterns == ('Pattern.compile("^a.*b.c\\\\.d\\\\z", Pattern.DOTALL)', 'Pattern.compile("^a")')
    assert [f"PATTERN_{number}" for number in (0, 1, 1)] == [
        word.strip("()").partition(".")[0] for word in made.lines[1].split() if "PATTERN" in word
    ]


@pytest.mark.parametrize(
    ("text", "java", "pattern"),
    [
        ("s NOT LIKE 'a b-c'", "!(PATTERN_0.matcher(s).find())", '"^a b-c\\\\z", Pattern.DOTALL'),
        (r"s LIKE r'a\%'", "PATTERN_0.matcher(s).find()", '"^a\\\\%\\\\z", Pattern.DOTALL'),
        ("s ILIKE '%'", "PATTERN_0.matcher(s).find()",
         '"^.*\\\\z", Pattern.DOTALL | Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE'),
        ("split(s, ',')", "Sql.split(s, PATTERN_0)", '","'),
        ("regexp_extract(s, '(a)(b)', 2)", "Sql.extract(s, PATTERN_0, 2L)", '"(a)(b)"'),
        ("regexp_replace(s, 'a', 'b')", 'Sql.replaceMatches(s, PATTERN_0, "b")', '"a"'),
    ],
)  # fmt: skip
def test_a_pattern_is_compiled_once(text: str, java: str, pattern: str):
    made = method(text)

    assert body(text) == strict(java, "s")
    assert made.patterns == (f"Pattern.compile({pattern})",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("pmod(price, 2)", "pmod of decimals cannot be exported as Java yet"),
        ("try_divide(price, 2)", "try_divide of decimals cannot be exported as Java yet"),
        ("unix_micros(micros)", "the function unix_micros cannot be exported as Java yet"),
        ("octet_length(any)", "values that count as binary have no Java yet"),
    ],
)
def test_what_has_no_java_is_named(text: str, message: str):
    with pytest.raises(NotInJava, match=f"^{message}$"):
        method(text)


def test_a_method_takes_the_roles_that_it_uses_in_the_order_given():
    made = method("m > 1 AND n > timestamp")

    assert made.lines[0] == "static Boolean result(Long n, Long m, long timestamp) {"
    assert (made.lines[-1], made.roles) == ("}", ("n", "m", "timestamp"))
    assert made.lines[1].startswith("    Boolean result")
    assert made.call({"n": "a", "m": "b", "timestamp": "now()"}) == "result(a, b, now())"


def windowed(text: str, **written: str) -> JavaMethod:
    scope = Scope(
        {"key": STRING, "value": VALUE, "window": struct(start=INTEGER, end=INTEGER)}, "value", is_windowed=True
    )
    types = {"key": "Windowed<String>", "value": "Map<String, Object>"}
    return make_java_method(check(text, scope), "result", types, java_types=written)


def test_a_windowed_key_tells_the_key_and_the_window():
    assert windowed("key").lines[1] == "    return key.key();"
    assert windowed("window.end - window.start").lines == (
        "static Long result(Windowed<String> key) {",
        "    return Math.subtractExact(key.window().end(), key.window().start());",
        "}",
    )
    assert windowed("window").lines[1] == (
        '    return Sql.struct("start", key.window().start(), "end", key.window().end());'
    )
    assert windowed("key || 'x'").lines[1:3] == ("    String key2 = key.key();", "    if (key2 == null) {")


def test_the_end_of_a_window_and_a_role_may_be_written_another_way():
    assert windowed("window.end", **{"window end": "days.end()"}).lines[1] == "    return days.end();"
    assert windowed("x", value="it.value()").lines[1] == '    return (Long) Sql.get(it.value(), "x");'
