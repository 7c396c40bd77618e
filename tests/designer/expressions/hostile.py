"""A corpus of texts somebody might try to get out with: none is an expression."""

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
transform(tags, x -> upper(x))
filter(tags, x -> x = 'a')
exists(tags, x -> x = 'a')
aggregate(tags, 0, (a, x) -> a + 1)
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
CAST(id AS DECIMAL(10, 2))
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
1.5BD
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
    yield from (*QUERIES, *STATEMENTS, *FORMS, *LOOK_ALIKES)
    for opening in ("(", "[", "{", "NOT ", "-", "!", "~", "CASE WHEN ", "upper(", "CAST(", "if(late, ", "((["):
        for count in (60, 400, 4_000):
            yield from (opening * count, opening * count + "late" + ")" * count)
    yield from ("late AND " * 400, "1+" * 2_000, "a." * 2_000, "'a'||" * 800, "id IN (" * 500, "x" * 4_097)
    yield from ("9" * 4_000, "1" * 4_000 + "." + "1" * 90, "'" + "\\" * 4_000, "`" * 4_001)
    yield from ("x" * 1_000_000, "(" * 1_000_000)
