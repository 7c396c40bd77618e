"""A corpus of texts someone might try to get out with: none is an expression."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from designer.expressions.functions import FUNCTIONS
from designer.expressions.lexis import IDENTIFIER, KEYWORDS

OURS = KEYWORDS | {"CAST", "TRY_CAST"}
SPARK = Path(__file__).with_name("spark_functions.txt").read_text().split()
ELSEWHERE = """
read_files secret http_request ai_query eval exec compile open __import__ getattr globals locals vars dir type
object print input breakpoint help exit load_extension pg_read_file pg_sleep xp_cmdshell load_file sleep
benchmark dblink copy lo_import utl_http sys_context dbms_output system shell_exec popen
"""
QUERIES = """(SELECT 1)
(SELECT max(value) FROM text.`/etc/hostname`)
EXISTS (SELECT 1)
EXISTS(SELECT 1 FROM t)
id IN (SELECT id FROM t)
id = ANY (SELECT id FROM t)
id = ALL (1, 2)
SELECT 1
SELECT id FROM orders
WITH x AS (SELECT 1) SELECT * FROM x
TABLE orders
VALUES (1)
(VALUES (1))
(TABLE orders)
FROM orders
LATERAL VIEW explode(tags) t AS x
(select transform('x') using 'id -un' as (o string))
TRANSFORM('x') USING 'cat'
MAP id USING 'cat'
REDUCE id USING 'cat'
id UNION SELECT 1
1 UNION ALL SELECT 2
1 INTERSECT SELECT 1""".splitlines()
STATEMENTS = """DROP TABLE orders
1; DROP TABLE orders
1; SELECT 1
ADD JAR '/tmp/x.jar'
ADD FILE '/etc/passwd'
SET spark.sql.runSQLOnFiles=true
SET x = 1
USE db
CREATE FUNCTION f AS 'x.Y'
CREATE TABLE t AS SELECT 1
INSERT INTO t VALUES (1)
DELETE FROM t
UPDATE t SET a = 1
EXPLAIN SELECT 1
DESCRIBE t
SHOW TABLES
CACHE TABLE t
CALL system.f()
EXECUTE IMMEDIATE 'SELECT 1'
DECLARE x INT
BEGIN SELECT 1; END
GRANT ALL ON t TO u
LOAD DATA INPATH '/x' INTO TABLE t
COPY t TO '/tmp/x'
import os
lambda x: x
def f(): pass
exec('1')
print(1)
__import__('os').system('id')""".splitlines()
FORMS = """*
value.*
key, value
id AS x
id x
id id id
count(*)
count(DISTINCT id)
upper(DISTINCT id)
upper(ALL id)
sum(dep_delay) OVER ()
sum(dep_delay) OVER (PARTITION BY id ORDER BY id)
row_number() OVER w
first(id) IGNORE NULLS
sum(dep_delay) FILTER (WHERE late)
percentile_cont(0.5) WITHIN GROUP (ORDER BY dep_delay)
listagg(id) WITHIN GROUP (ORDER BY id)
x -> x + 1
(x, y) -> x
f(x => 1)
upper(text => id)
:name
:1
?
@x
@@version
$1
${env:HOME}
{{ id }}
{% raw %}
{fn upper(id)}
{d '2013-01-01'}
{'a': 1}
{*}
IDENTIFIER('upper')(id)
IDENTIFIER(id)
identifier('value').id
`upper`(id)
"upper"(id)
`reflect`('java.lang.System', 'exit')
system.builtin.upper(id)
builtin.upper(id)
a.b.c.d(id)
db.f(id)
value.upper(id)
id.upper()
id.__class__.__mro__
value.__class__
value['__class__']
value.__init__.__globals__
__class__
__builtins__
__import__
key.__dict__
''.__class__
().__class__
().__class__.__bases__[0].__subclasses__()
[].__class__
tags.__len__()
'{0.__class__}'.format(id)
f'{id}'
f"{id}"
b'x'
N'x'
X'1F'
U&'x'
_utf8'x'
$$x$$
$tag$x$tag$
'a' 'b'
'a' "b"
DATE '2013-01-01'
TIMESTAMP '2013-01-01'
INTERVAL 1 DAY
INTERVAL '1' DAY + timestamp
timestamp AT TIME ZONE 'UTC'
id COLLATE UTF8_LCASE
id::STRING
id::int
CAST(id AS STRUCT<a: INT>)
CAST(id AS ARRAY<INT>)
CAST(id AS MAP<STRING, INT>)
CAST(id AS DECIMAL(10, 2, 3))
CAST(id AS DECIMAL(39, 0))
CAST(id AS DECIMAL(2, 10))
CAST(id AS DECIMAL(99999999999999999999999, 0))
CAST(id AS DECIMAL(-1))
CAST(id AS DECIMAL(id))
CAST(id AS DECIMAL())
CAST(id AS DECIMAL(10.5))
CAST(id AS STRING(10))
CAST(id AS VARCHAR(10))
CAST(id AS BLOB)
CAST(id AS TIMESTAMP)
CAST(id AS `STRING`)
CAST(id AS 'STRING')
CAST(id, STRING)
CAST(id)
CAST(id AS STRING FORMAT 'x')
EXTRACT(YEAR FROM timestamp)
SUBSTRING(id FROM 1 FOR 2)
TRIM(BOTH 'x' FROM id)
POSITION('a' IN id)
OVERLAY(id PLACING 'x' FROM 1)
id LIKE ANY ('a', 'b')
id LIKE ALL ('a', 'b')
id LIKE SOME ('a')
id LIKE 'a' ESCAPE '!'
id SIMILAR TO 'a'
id GLOB 'a*'
id ~ 'a'
id ~~ 'a'
dep_delay & 1
dep_delay | 1
dep_delay ^ 2
~dep_delay
dep_delay << 1
dep_delay >> 1
dep_delay ** 2
dep_delay // 2
dep_delay++
++dep_delay++
dep_delay += 1
dep_delay -= 1
id ?? 'x'
id?.x
late ? 1 : 2
id -> 'a'
id ->> 'a'
id:a
id:a.b
id#>'a'
tags[0:1]
tags[]
tags[*]
tags['a']
[1, 2]
{1}
(1, 2)
()
ARRAY[1, 2]
ARRAY<INT>[1]
STRUCT<a INT>(1)
MAP[1: 2]
id IN ()
id IN 'a'
id IN id
id IN UNNEST(tags)
dep_delay BETWEEN 1
dep_delay BETWEEN 1, 2
dep_delay BETWEEN SYMMETRIC 1 AND 2
id IS
id IS 5
id IS id
id IS JSON
id ISNULL
id NOTNULL
CASE END
CASE WHEN late END
CASE WHEN late THEN END
CASE ELSE 1 END
WHEN late THEN 1
NOT
AND
late AND
OR late
late NOT late
= 1
1 =
1 = = 1
,
.
..
.id
id.
id..id
'
"
`
\\
#
# comment
-- comment
late -- comment
late /* comment */
/* late */
/* unclosed
late /*+ HINT */
/*+ BROADCAST(t) */ late
late # comment
{# jinja #} late
late {# jinja #}
//late
<!-- late -->
IF late THEN 1 ELSE 2 END IF
if late then 1
late if late else late
late and late or
not in
1 not
1 2
1.2.3
1..2
0x1F
0b11
1_000
1L
1.5D
1e999999999999BD
1e38BD
1e-39BD
1e
1e400
-1e400
99999999999999999999
-9223372036854775809
1e+
NaN
Infinity
inf
nan
undefined
None
self
this
null.id
NULL()
TRUE()
current_timestamp
current_date
current_user
user
session_user
localtime
rownum
rowid""".splitlines()
LOOK_ALIKES = [
    "ｌａｔｅ",
    "lаte",
    "late\u200b",
    "\u200blate",
    "la\u00adte",
    "late\u202e",
    "\ufefflate",
    "late\x00",
    "\x00",
    "late\x1b[0m",
    "id ＝ 'a'",
    "id = ʼaʼ",
    "id = ´a´",
    "id = «a»",
    "dep_delay > ٦٠",
    "dep_delay > 6０",
    "dep_delay ≥ 60",
    "dep_delay − 1",
    "dep_delay × 2",
    "late ∧ late",
    "¬late",
    "ſelect 1",
    "ＳＥＬＥＣＴ 1",
    "up\u0131per(id)",
    "uppeʀ(id)",
    "🙂",
    "\ud800",
    "late;\u2028",
]
DISGUISED = """ReFlEcT('java.lang.Runtime', 'getRuntime')
jAvA_MeThOd('java.lang.System', 'exit')
__IMPORT__('os')
Eval('1')
eXeC('1')
GetAttr(value, '__class__')
uPpEr.__globals__
Select 1
sElEcT id FrOm orders
ExIsTs(SeLeCt 1)
dRoP tAbLe orders
up/**/per(id)
upper/* */(id)
upper(id /* x */)
late OR/**/TRUE
late /* a /* b */ c */
/*!50000 late */
/*! SELECT 1 */
id = 'a' /*' OR '1'='1*/
'a' --'
1/**/;DROP/**/TABLE/**/orders
late;--
late; #
late %00%0a
%6c%61%74%65
&lt;late&gt;
&#108;ate
\\u006cate
\\x6cate
\\154ate""".splitlines()
BROKEN = [
    "upper(id -- x\n)",
    "upper(/*\n*/id)",
    "late OR -- x\nTRUE",
    "late\n;\nlate",
    "late AND\n\\\nlate",
    "--\nlate",
]
ESCAPES = r"""'a' OR '1'='1'
id = 'a' OR 1=1 --
id = 'a'; DROP TABLE orders; --'
id = 'a' UNION SELECT password FROM users
id = '\'
id = '\\'' OR late
id = ''' OR ''
id = "a" "b"
q'[x]'
E'\x41'
R"x" 'y'
N"x"
x'4'
B'01'
_latin1'x'
'a' COLLATE binary
'a' % 1
'a' * 1000000000
'a' ** 2
'%s' % id
'%(a)s' % value
'{}'.format(value)
'{0.__class__}'.format(key)
'a'.join(tags)
'a'.encode()
'a'[0].real
f'{1 + 1}'
F"{id}"
rf'{id}'
fr'{id}'
f'{__import__("os").getcwd()}'
t'{id}'
u'x' u'y'
br'x'
Rb'x'
`id`(1)
`upper`.`id`(1)
`value`.`__class__`()
"value"."__class__"()
`a``
[late]
$(id)
`${id}`()
#{id}
<%= id %>
{{ value.__class__ }}
%(id)s
!id!
\late
late\
'unclosed
'a\'
"unclosed
`unclosed
r'unclosed""".splitlines()
INSIDE = """upper({0})
coalesce(id, {0})
concat('a', {0}, 'b')
regexp_replace(id, 'a', {0})
to_json(struct({0} AS x))
named_struct('a', {0})
map('a', {0})
array({0})
CASE id WHEN {0} THEN 1 END
CASE WHEN late THEN {0} ELSE 1 END
element_at(tags, {0})
CAST({0} AS STRING)
id LIKE {0}
dep_delay BETWEEN 1 AND {0}
id IN ('a', {0})
{0} IS NULL
NOT ({0} = 1)
late AND {0}
-{0}""".splitlines()
"""Where an attack may hide."""
HIDDEN = """__import__('os').system('id')
eval('1')
(SELECT id FROM orders)
x -> x
lambda: 1
id.__class__()
f'x'
@@version
upper(*tags)
(late := 1)
1; 2""".splitlines()
LAMBDAS = """() -> 1
transform(tags, () -> 1)
(x -> x)(1)
transform(tags, x -> y -> x)
transform(tags, x -> x.__class__)
transform(tags, (x -> x))
transform(tags, x -> x)(id)
transform(x -> x, tags)
transform(tags, x.y -> 1)
transform(tags, 1 -> 1)
filter(tags, (x, x) -> TRUE)
aggregate(tags, 0, (a, x) -> __import__('os'))
array_sort(tags, x -> y)
(x) => x
x => x
lambda *a: a
lambda x, y: x
(lambda: 1)()
map(x -> x, 1)
any_match(tags, t -> late)
[x for x in tags]
{x for x in tags}
{k: 1 for k in tags}
(x for x in tags)
any(x for x in tags)
late if late
yield late
await late
(yield id)
not lambda: 1
coalesce((SELECT id), 'x')
(WITH a AS (SELECT 1) SELECT * FROM a)
((SELECT 1))
-(SELECT 1)
EXISTS(TABLE orders)
id IN (TABLE orders)
id IN (VALUES ('a'))
id NOT IN (FROM orders SELECT id)
id = (VALUES ('a'))
id > ALL (SELECT id FROM orders)
id = SOME (SELECT 1)
ARRAY(SELECT 1)
array(SELECT 1)
struct(SELECT 1)
struct(*)
map(SELECT 1, 2)
CAST((SELECT 1) AS STRING)
CASE (SELECT 1) WHEN 1 THEN 1 END
late AND EXISTS(SELECT * FROM json.`/etc/passwd`)
LATERAL (SELECT 1)
(id, late) IN (SELECT 1, 2)
ROW(1, 2) = (SELECT 1, 2)
upper((DELETE FROM orders RETURNING id))
if((INSERT INTO t VALUES (1)), 1, 2)""".splitlines()
ATTRIBUTES = """value.__dict__
value.__reduce_ex__(2)
value.items()
value.get('id')
value.id.__class__
id.__class__.__base__.__subclasses__()
id.__doc__
id.__len__
key.__init__.__globals__['os']
key.__init__.__globals__
key.__class__.__mro__[1]
headers[0].key.__class__
headers.__class__
timestamp.__add__(1)
timestamp.real
timestamp.bit_length()
tags.append('x')
tags.__class__
tags.clear()
tags[0].__class__
prices.__class__()
prices.pop('a')
prices.__getitem__('a')
address.city.__len__
address.__class__.__init__
(1).__class__
1 .real
1.real
1.0.hex()
'a'.upper
'a'.__class__.__mro__
TRUE.__class__
NULL.__class__
upper.__globals__
upper.__code__.co_code
upper(id).__class__
(id).__class__
(late).real()
CAST(id AS STRING).__class__
if(late, id, id).__class__
named_struct('a', 1).a.__class__
named_struct('a', 1).__class__
struct(id).__class__
array(1).__class__
__builtins__.eval
__builtins__['eval']('1')
__loader__
__spec__
__file__
__name__
__debug__
os.environ()
sys.modules['os']()
globals()['__builtins__']
type(id)
type(id)('x')
object()
super().__init__""".splitlines()
HUGE = """1e309
-1e309
1e99999999999
1e-1e1
1e1e1
2 ** 9999
9223372036854775808
9223372036854775807 + 1e400
-9223372036854775809
9999999999999999999999999999
lpad('a', 9223372036854775808)
sequence(1, 99999999999999999999)
tags[99999999999999999999]
repeat('a', 1000000000)
space(1000000000)
factorial(999999999)
9**9**9
1 << 99999
0xFFFFFFFFFFFFFFFFFFFFFFFF
0o777
0b1
00x1
1_0
.5.5
1..0
1.e
e1.
1e
1f
1j
1n
1u
1 BD
1BDX
1S
1Y
1MB
1++
--1
!""".splitlines()
CONTROLS = [
    "late\x07",
    "la\x00te",
    "late\x7f",
    "\x1blate",
    "late\x85",
    "late\x08\x08\x08\x08",
    "late\x1a",
    "late\x0eAND late",
    "late\u2029",
    "late\u2028AND late",
    "late\x0bAND late",
    "late\x0c",
    "late\x1cAND\x1dlate",
    "late\x1e",
    "\x1flate",
    "late\u180e",
    "late\u2066",
    "\u2067late\u2069",
    "late\ufffe",
    "late\ufffd",
    "late\u0301",
    "la\u034fte",
    "la\u2060te",
    "late\U000e0041",
    "late\ud83d",
    "\udc00late",
    "late\r;",
]
HOMOGLYPHS = """uppеr(id)
ｕｐｐｅｒ(id)
ᵘpper(id)
𝐮pper(id)
𝚞𝚙𝚙𝚎𝚛(id)
UPPER（id）
upper⟮id⟯
upper﹙id﹚
ＣＡＳＴ(id AS STRING)
CAſT(id AS STRING)
CAST(id Aſ STRING)
CAST(id AS ЅTRING)
ıf(late, 1, 2)
İF(late, 1, 2)
éxec(1)
ｅｖａｌ('1')
__ｉｍｐｏｒｔ__('os')
_＿import__('os')
ｒｅｆｌｅｃｔ('java.lang.System', 'exit')
late ＡＮＤ late
late ＯＲ late
ＮＯＴ late
ᴛrue
Ｎull
‘a’ = id
“a” = id
＇a＇ = id
＂a＂ = id
id = ‚a‘
id = ′a′
id ≠ 'a'
id ‖ 'a'
id；1
id，late
value․id
value。id
tags［0］
tags⟦0⟧
dep_delay ＋ 1
dep_delay ⁄ 2
dep_delay ∕ 2
dep_delay ∗ 2
dep_delay％2
dep_delay ＞ 1
dep_delay ‹ 1
dep_delay ≤ 1
dep_delay²
dep_delay – 1
dep_delay — 1
１
１２ + 1
٣
𝟏
Ⅷ
½
²
∞
π
√4
№1
late ｡
－1
／＊ late ＊／""".splitlines()
"""Letters, digits and signs that are read for others."""


def corpus() -> Iterator[str]:
    """Each text once."""
    seen: set[str] = set()
    for text in filter(None, _texts()):
        if text not in seen:
            seen.add(text)
            yield text


def _texts() -> Iterator[str]:
    for name in (*SPARK, *ELSEWHERE.split()):
        if IDENTIFIER.fullmatch(name) and name.lower() not in FUNCTIONS and name.upper() not in OURS:
            yield f"{name}(id)"
            yield f"{name.upper()}('x', 1) = 1"
    for name in ("upper", "reflect", "java_method", "try_reflect"):
        yield from (f"`{name}`(id)", f'"{name}"(id)', f"system.builtin.{name}(id)", f"{name} (id, x -> id)")
    for inner in ("reflect('java.lang.Runtime', 'getRuntime')", "java_method('a', 'b')", "(SELECT 1)"):
        yield from (f"upper({inner})", f"if(late, {inner}, 1)", f"CASE WHEN {inner} THEN 1 END", f"tags[{inner}]")
        yield from (f"coalesce(NULL, {inner})", f"id IN ({inner})", f"NOT {inner}", f"transform(tags, x -> {inner})")
    yield from (place.format(attack) for place in INSIDE for attack in HIDDEN)
    yield from (*QUERIES, *STATEMENTS, *FORMS, *LOOK_ALIKES)
    yield from (*DISGUISED, *BROKEN, *ESCAPES, *LAMBDAS, *ATTRIBUTES, *HUGE, *CONTROLS, *HOMOGLYPHS)
    for opening in ("(", "[", "{", "NOT ", "-", "!", "~", "CASE WHEN ", "upper(", "CAST(", "if(late, ", "((["):
        for count in (60, 400, 4_000):
            yield from (opening * count, opening * count + "late" + ")" * count)
    yield from ("late AND " * 400, "1+" * 2_000, "a." * 2_000, "'a'||" * 800, "id IN (" * 500, "x" * 4_097)
    yield from ("9" * 4_000, "1" * 4_000 + "." + "1" * 90, "'" + "\\" * 4_000, "`" * 4_001)
    yield from ("x" * 1_000_000, "(" * 1_000_000)
