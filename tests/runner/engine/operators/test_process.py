"""process and process_values: the Processor API in Python."""

import sys
import textwrap
from collections.abc import Iterator

import pytest

from designer.checks import check
from designer.checks.graph_view import GraphView
from designer.checks.hints import find_hints
from designer.messages import IssueCode
from designer.topology.user_code import find_code_issues
from designer.values.schemas import ANY, INTEGER, STRING, struct
from runner.engine.code import user_code
from runner.engine.stores.state import MemoryState
from runner.engine.stores.times import StreamTime
from runner.engine.tasks.punctuation import Punctuations, Schedule, Schedules
from tests.found.seeds import read_seed
from tests.runner.graph_builder import GraphBuilder

COUNTER = """
    class Counter(Processor):
        def init(self, context):
            self.context = context
            self.counts = context.store("counts")

        def process(self, record):
            count = (self.counts.get(record.key) or 0) + 1
            self.counts.put(record.key, count)
            self.context.forward(record.with_value(count))
"""
COUNTS = {"stores": [{"name": "counts", "key_format": "string"}], "key_type": STRING.to_json()}


@pytest.fixture(autouse=True)
def python_is_on(monkeypatch):
    monkeypatch.setenv("STREAMWRIGHT_ALLOW_PYTHON", "1")
    monkeypatch.setattr(user_code, "_is_trusted", True)


@pytest.fixture(params=[True, False], ids=["one life", "recreated tasks"])
def driver(request):
    def made(code, operator="process", options=None, **config):
        builder = drawn(code, operator, **config)
        return builder.driver(is_one_life=request.param, wall_clock=lambda: 0, **(options or {}))

    return made


def drawn(code, operator="process", value=ANY, **config):
    builder = GraphBuilder().stream("in", value)
    builder.add("mine", operator, {"code": textwrap.dedent(code)} | config, stream="in")
    return builder.to("out", "mine")


def process(body, *, init="pass", **config):
    """A class with such a process method, whose body may be several lines."""
    lines = ["class Mine(Processor):", "  def init(self, context):", "    self.context = context", *_indented(init)]
    return "\n".join([*lines, "  def process(self, record):", *_indented(body)])


def _indented(body):
    return [f"    {line}" for line in textwrap.dedent(body).strip().splitlines()]


def issues(code, **config):
    return [(issue.code, issue.message) for issue in check(drawn(code, **config).graph)]


def hints(code, **config):
    return [hint.message for hint in find_hints(GraphView(drawn(code, **config).graph, {}))]


def test_a_store_remembers_from_record_to_record(driver):
    counter = driver(COUNTER, **COUNTS)

    for key in ("a", "b", "a"):
        counter.pipe("in", key=key, value=1)

    assert counter.read("out") == [("a", 1), ("b", 1), ("a", 2)]
    assert counter.counters()["mine"] == {"in": 3, "out": 3, "dropped": 0, "errors": 0}


def test_a_session_processor_appends_to_what_it_stored(driver):
    """Application E05."""
    sessions = driver(
        """
        class SessionProcessor(Processor):
            def init(self, context):
                self.context = context
                self.sessions = context.store("user-sessions")

            def process(self, record):
                before = self.sessions.get(record.key)
                session = record.value if before is None else f"{before},{record.value}"
                self.sessions.put(record.key, session)
                self.context.forward(record.with_value(session))
        """,
        stores=[{"name": "user-sessions", "key_format": "string"}],
        key_type=STRING.to_json(),
        value_type=STRING.to_json(),
    )

    for key, value in (("u", "a"), ("u", "b"), ("v", "c")):
        sessions.pipe("in", key=key, value=value)

    assert sessions.read("out") == [("u", "a"), ("u", "a,b"), ("v", "c")]


def test_it_forwards_none_one_or_many_and_changes_all_of_a_record(driver):
    many = driver(
        process(
            """
            for n in range(record.value):
                changed = record.with_key(f"{record.key}{n}").with_value(n).with_timestamp(record.timestamp + n)
                self.context.forward(changed.with_headers([*record.headers, ("n", b"%d" % n)]))
            """
        ),
        key_type=STRING.to_json(),
    )

    many.pipe("in", key="a", value=0)
    many.pipe("in", key="b", value=2, timestamp=10, headers={"h": b"x"})

    assert many.records("out") == [
        ("b0", 0, 10, (("h", b"x"), ("n", b"0"))),
        ("b1", 1, 11, (("h", b"x"), ("n", b"1"))),
    ]
    assert many.counters()["mine"] == {"in": 2, "out": 2, "dropped": 0, "errors": 0}
    assert many.counters()["out"]["in"] == 2


def test_what_it_changes_in_place_no_other_branch_sees():
    builder = drawn(
        process(
            """
            record.value["tags"].append("mine")
            self.context.forward(record)
            record.value["tags"].append("later")
            """
        ),
        key_type=STRING.to_json(),
    )
    driver = builder.to("untouched", "in").driver()

    driver.pipe("in", key="a", value={"tags": []})

    assert driver.read("out") == [("a", {"tags": ["mine"]})]
    assert driver.read("untouched") == [("a", {"tags": []})]


def test_what_it_raises_is_an_error_of_the_record_with_its_line(driver):
    code = process("if record.value < 0:\n  raise ValueError('below zero')\nself.context.forward(record)")
    fragile = driver(code, key_type=STRING.to_json())

    fragile.pipe("in", key="a", value=-1)
    fragile.pipe("in", key="a", value=1)

    (letter,) = fragile.dead_letters()
    headers = {name.removeprefix("__streams.errors."): value for name, value in letter.headers}
    assert headers["exception"] == b"ValueError"
    assert headers["message"] == b"ValueError: below zero (line 7 of the code)"
    assert headers["node"] == b"mine"
    assert fragile.read("out") == [("a", 1)]
    assert fragile.counters()["mine"] == {"in": 2, "out": 1, "dropped": 0, "errors": 1}


@pytest.mark.parametrize(
    ("error", "message"),
    [("ValueError(chr(0xd800))", b"ValueError: \\ud800"), ("Silent()", b"Silent")],
    ids=["half a surrogate pair", "no text"],
)
def test_an_error_whose_text_cannot_be_written_is_one_of_the_record_too(driver, error, message):
    silent = "class Silent(Exception):\n  def __str__(self):\n    raise KeyError\n"
    fragile = driver(f"{silent}{process(f'raise {error}')}")

    fragile.pipe("in", key="a", value=1)

    (letter,) = fragile.dead_letters()
    assert dict(letter.headers)["__streams.errors.message"] == message + b" (line 9 of the code)"


def test_with_fail_what_it_raises_fails_the_task_and_code_cannot_hide_the_failure_of_another_node(driver):
    hiding = process("try:\n  self.context.forward(record)\nexcept Exception:\n  pass")
    config = {"key_type": STRING.to_json(), "value_type": ANY.to_json()}
    builder = GraphBuilder().stream("in").add("mine", "process", {"code": hiding} | config, stream="in")
    builder.add("half", "map_values", {"value": "1 / value", "on_error": "fail"}, records="mine")
    driver = builder.to("out", "half").driver()

    with pytest.raises(Exception, match="`half` failed on offset 0"):
        driver.pipe("in", key="a", value=0)


@pytest.mark.parametrize(
    ("forwarded", "message"),
    [
        ("record.value", "forward() takes a Record, not a int"),
        ("record.with_value({1, 2})", "A record cannot hold a set"),
        ("record.with_value({1: 2})", "A name in a dict is 1"),
        ("record.with_value(2**63)", "does not fit into 64 bits"),
        ("record.with_value('\\ud800')", "half a surrogate pair"),
        ("record.with_value('text')", "The value of a forwarded record does not have the declared type"),
        ("record.with_key(5)", "The key of a forwarded record does not have the declared type"),
        ("record.with_timestamp(-1)", "expected milliseconds from 1970 on"),
        ("record.with_headers([('a', 'text')])", "A header is a text and bytes or None"),
    ],
)
def test_what_it_forwards_must_be_a_record_of_the_declared_types(driver, forwarded, message):
    types = {"key_type": STRING.to_json(), "value_type": INTEGER.to_json()}
    strict = driver(process(f"self.context.forward({forwarded})"), **types)

    strict.pipe("in", key="a", value=1)

    (letter,) = strict.dead_letters()
    assert message in dict(letter.headers)["__streams.errors.message"].decode()
    assert strict.read("out") == []


def test_process_values_keeps_the_key(driver):
    keeping = driver(process("self.context.forward(record.with_key(record.value))"), "process_values")

    keeping.pipe("in", key="a", value="a")
    keeping.pipe("in", key="a", value="b")

    assert keeping.read("out") == [("a", "a")]
    assert "process_values keeps the key" in str(keeping.dead_letters()[0].headers)


def test_process_re_keys_and_process_values_does_not():
    def stages(operator):
        builder = GraphBuilder().stream("in").add("mine", operator, {"code": process("pass")}, stream="in")
        builder.add("grouped", "group_by_key", stream="mine").add("counted", "count", grouped="grouped")
        return len(builder.updates_to("out", "counted").driver().layout.sub_topologies)

    assert (stages("process"), stages("process_values")) == (2, 1)


def test_without_stores_and_times_it_needs_no_state():
    assert not drawn(process("pass")).driver().layout.sub_topologies[0].is_stateful
    assert drawn(process("self.context.stream_time")).driver().layout.sub_topologies[0].is_stateful


def test_it_knows_where_and_when_it_is(driver):
    code = process(
        """
        c = self.context
        self.context.forward(record.with_value([c.topic, c.partition, c.offset, c.task, c.stream_time, c.wall_clock]))
        """
    )
    knowing = driver(code, key_type=STRING.to_json())

    knowing.pipe("in", key="a", timestamp=5)
    knowing.advance_wall_clock(100)
    knowing.pipe("in", key="a", timestamp=3)

    assert [value for _, value in knowing.read("out")] == [["in", 0, 0, 0, 5, 0], ["in", 0, 1, 0, 5, 100]]


RANDOM = process("self.context.forward(record.with_value([self.context.random.random() for _ in range(2)]))")


def test_random_numbers_are_the_same_in_another_version():
    def draw_numbers(builder):
        builder.stream("in", ANY).add("mine", "process", {"code": RANDOM, "key_type": STRING.to_json()}, stream="in")
        driver = builder.to("out", "mine").driver()
        driver.pipe("in", key="a", timestamp=5)
        return driver.read("out")

    assert draw_numbers(GraphBuilder()) == draw_numbers(GraphBuilder().stream("another", ANY))


def test_random_numbers_follow_from_the_record():
    code = RANDOM

    def draw_numbers(offsets):
        rolling = drawn(code, key_type=STRING.to_json()).driver(is_one_life=False, wall_clock=lambda: 0)
        for _ in offsets:
            rolling.pipe("in", key="a", timestamp=5)
        return [value for _, value in rolling.read("out")]

    first = draw_numbers(range(3))
    assert draw_numbers(range(3)) == first
    assert len({number for numbers in first for number in numbers}) == 6


def asking(function, arguments="", *, init="pass"):
    """Code that forwards the answer of a side effect, or the text of its error."""
    body = f"""
    try:
        answer = self.context.side_effect({function}{arguments})
    except (SideEffectFailed, TypeError, RuntimeError) as error:
        answer = type(error).__name__ + ": " + str(error)
    self.context.forward(record.with_value(answer))
    """
    code = process(body, init=init).replace("class Mine", FUNCTIONS + "\nclass Mine")
    return code + "\n  def send(self): self.context.forward(Record('a', 1, 0))"


FUNCTIONS = """
def answer_in_a_tuple(name): return (name, b"1", {"a": 0.5})
def fail(): raise ValueError("no such currency")
def give_an_object(): return object()
def give_much(): return "x" * 300_000
"""


@pytest.mark.parametrize(
    ("code", "answer"),
    [
        (asking("answer_in_a_tuple", ", 'EUR'"), ["EUR", b"1", {"a": 0.5}]),
        (asking("fail"), "SideEffectFailed: ValueError: no such currency"),
        (asking("give_an_object"), "SideEffectFailed: NotPlain: A record cannot hold a object; "),
        (asking("give_much"), "SideEffectFailed: The answer has 300,009 bytes; at most 262,144 can be recorded."),
        (asking("self.send"), "SideEffectFailed: RuntimeError: The function of a side effect gives an answer."),
        (asking("lambda: 1"), "TypeError: side_effect() takes a function that has a name, then its arguments"),
        (asking("answer_in_a_tuple", ", object()"), "TypeError: An argument of side_effect() must be what a record"),
    ],
    ids=["an answer", "failed", "not plain", "too large", "forwards", "no name", "no plain argument"],
)
def test_a_side_effect_gives_what_can_be_recorded(driver, code, answer):
    asker = driver(code, key_type=STRING.to_json(), value_type=ANY.to_json(), value_format="json")

    asker.pipe("in", key="a", value=1)

    ((_, found),) = asker.read("out")
    assert found.startswith(answer) if isinstance(answer, str) else found == [answer[0], found[1], answer[2]]


def test_a_side_effect_has_no_place_in_init(driver):
    with pytest.raises(user_code.CodeFailed, match=r"side_effect\(\) belongs in process\(\) or a punctuator"):
        driver(asking("fail", init="context.side_effect(print)"), key_type=STRING.to_json())


@pytest.mark.parametrize(
    ("imports", "hint"),
    [
        ("from urllib import request", ["urllib.request"]),
        ("import requests, json", ["requests"]),
        ("from urllib.parse import quote\nfrom http import HTTPStatus", []),
    ],
)
def test_code_that_asks_without_recording_gets_a_hint(imports, hint):
    code = f"{imports}\n" + process("self.context.forward(record)")
    recorded = code + "\n    self.context.side_effect(print)"

    assert hints(code) == [
        f"The code imports `{module}`. What other servers answer is not recorded, so a proof and a replay ask again, "
        "and may get other answers."
        for module in hint
    ]
    assert hints(recorded) == []


def test_stores_give_ranges_in_order_and_what_they_held(driver):
    code = process(
        """
        store = self.context.store("s")
        out = {
            "absent": store.put_if_absent(record.key, 1),
            "again": store.put_if_absent(record.key, 2),
            "range": list(store.range("a", "b")),
            "reverse": [key for key, value in store.all(reverse=True)],
        }
        out["deleted"] = store.delete("a")
        self.context.forward(record.with_value(out))
        """
    )
    store = driver(code, key_type=STRING.to_json(), stores=[{"name": "s", "key_format": "string"}])

    for key in ("c", "b", "a"):
        store.pipe("in", key=key)

    last = store.read("out")[-1][1]
    assert last == {
        "absent": None,
        "again": 1,
        "range": [["a", 1], ["b", 1]],
        "reverse": ["c", "b", "a"],
        "deleted": 1,
    }


def test_what_a_store_gives_is_a_copy(driver):
    body = "store = self.context.store('s')\nheld = store.put_if_absent(1, []) or store.get(1)\nheld.append(1)\n"
    code = process(body + "self.context.forward(record.with_value(store.get(1)))")
    store = driver(code, key_type=STRING.to_json(), stores=[{"name": "s"}])

    store.pipe("in", key="a")
    store.pipe("in", key="a")

    assert store.read("out") == [("a", []), ("a", [])]


def test_a_timestamped_store_keeps_a_time_with_each_value(driver):
    body = "store = self.context.store('s')\nbefore = store.get(1)\nstore.put(1, record.value, record.timestamp)\n"
    code = process(body + "self.context.forward(record.with_value(before and [before.value, before.timestamp]))")
    store = driver(code, key_type=STRING.to_json(), stores=[{"name": "s", "kind": "timestamped"}])

    store.pipe("in", key="a", value="x", timestamp=7)
    store.pipe("in", key="a", value="y", timestamp=3)

    assert store.read("out") == [("a", None), ("a", ["x", 7])]


def test_an_entry_that_was_not_written_for_its_time_is_gone(driver):
    ttl = [{"name": "counts", "key_format": "string", "ttl_ms": 100}]
    counter = driver(COUNTER, **COUNTS | {"stores": ttl})

    for key, timestamp in (("a", 0), ("b", 50), ("a", 99), ("b", 149), ("a", 198), ("c", 298), ("a", 298)):
        counter.pipe("in", key=key, value=1, timestamp=timestamp)

    assert counter.read("out") == [("a", 1), ("b", 1), ("a", 2), ("b", 2), ("a", 3), ("c", 1), ("a", 1)]
    assert sum(key[4:] == b"eb" for key in counter.state.values) == 0


WINDOWS = [{"name": "w", "kind": "window", "key_format": "string", "size_ms": 1_000, "retention_ms": 200_000}]
PUT_AND_SHOW = """
    store = self.context.store("w")
    if record.value:
        store.put(*record.value)
    self.context.forward(record.with_value(SHOWN))
"""


def windows(driver, shown, **config):
    code = process(textwrap.dedent(PUT_AND_SHOW).replace("SHOWN", shown))
    return driver(code, key_type=STRING.to_json(), **{"stores": WINDOWS} | config)


def shown(windows, *puts):
    for put in (*puts, None):
        windows.pipe("in", key="x", value=put and list(put))
    return windows.read("out")[-1][1]


def test_a_window_store_gives_one_window_or_those_of_a_key_between_two_starts(driver):
    several = windows(
        driver,
        """{
            "one": store.fetch("a", 5),
            "none": store.fetch("a", 6),
            "some": list(store.fetch("a", 5, 80_000)),
            "back": list(store.fetch("a", 0, 2**62, reverse=True)),
        }""",
    )

    found = shown(several, ("a", 1, 5), ("a", 2, 80_000), ("a", 3, 100_000), ("aa", 4, 7), ("a", None, 100_000))

    assert found == {"one": 1, "none": None, "some": [[5, 1], [80_000, 2]], "back": [[80_000, 2], [5, 1]]}


def test_all_windows_come_by_segment_of_half_the_retention_then_by_key(driver):
    """As SegmentIterator goes through RocksDB's segments."""
    several = windows(
        driver,
        """{
            "all": [[*key, value] for key, value in store.all()],
            "back": [[*key, value] for key, value in store.all(reverse=True)],
            "bounded": [[*key, value] for key, value in store.fetch_all(20, 150_000, "b")],
        }""",
    )

    found = shown(several, ("b", 1, 10), ("a", 2, 99_999), ("b", 3, 30), ("c", 4, 100_000), ("a", 5, 150_001))

    rows = [["a", 99_999, 100_999, 2], ["b", 10, 1_010, 1], ["b", 30, 1_030, 3]]
    rows += [["a", 150_001, 151_001, 5], ["c", 100_000, 101_000, 4]]
    assert found == {"all": rows, "back": rows[::-1], "bounded": [rows[2], rows[4]]}


def test_a_window_past_retention_is_gone_and_a_put_behind_the_last_segment_is_dropped(driver):
    several = windows(driver, """[store.fetch("a", 5), list(store.fetch("a", 0, 10**6)), len(list(store.all()))]""")

    assert shown(several, ("a", 1, 5), ("b", 2, 200_004)) == [1, [[5, 1]], 2]
    assert shown(several, ("b", 3, 200_005)) == [None, [], 2]
    assert shown(several, ("a", 4, 6), ("a", 5, 5)) == [None, [[6, 4]], 3]
    assert several.counters()["mine"]["dropped"] == 0
    assert shown(several, ("b", 6, 300_005), ("a", 7, 99_999)) == [None, [], 3]
    assert several.counters()["mine"]["dropped"] == 1
    assert sum(b"a" in key[4:] for key in several.state.values) == 0


DUPLICATES = [WINDOWS[0] | {"duplicates": True}]


def test_a_window_store_with_duplicates_keeps_every_value_in_the_order_they_came(driver):
    several = windows(
        driver,
        """{
            "one": list(store.fetch("a", 5)),
            "none": list(store.fetch("a", 6)),
            "some": list(store.fetch("a", 0, 10)),
            "back": list(store.fetch("a", 0, 10, reverse=True)),
            "all": [[*key, value] for key, value in store.all()],
        }""",
        stores=DUPLICATES,
    )

    found = shown(several, ("a", 2, 5), ("b", 3, 5), ("a", 1, 5), ("a", 1, 5), ("a", 4, 9), ("a", None, 5))

    five = [[5, 2], [5, 1], [5, 1]]
    assert found["one"] == five
    assert found["none"] == []
    assert found["some"] == [*five, [9, 4]]
    assert found["back"] == [[9, 4], *reversed(five)]
    assert found["all"] == [
        ["a", 5, 1_005, 2],
        ["a", 5, 1_005, 1],
        ["a", 5, 1_005, 1],
        ["a", 9, 1_009, 4],
        ["b", 5, 1_005, 3],
    ]


def test_duplicates_past_retention_are_gone(driver):
    several = windows(driver, """[list(store.fetch("a", 0, 10**6)), len(list(store.all()))]""", stores=DUPLICATES)

    assert shown(several, ("a", 1, 5), ("a", 2, 5), ("b", 3, 200_004)) == [[[5, 1], [5, 2]], 3]
    assert shown(several, ("b", 4, 200_005)) == [[], 2]
    assert sum(b"a" in key[4:] for key in several.state.values) == 0


def test_windows_of_a_store_start_at_a_time(driver):
    several = windows(driver, "1")

    several.pipe("in", key="x", value=["a", 1, -1])
    several.pipe("in", key="x", value=[None, 1, 1])

    messages = [dict(letter.headers)["__streams.errors.message"].decode() for letter in several.dead_letters()]
    assert "takes a key, a value and the start of a window in ms" in messages[0]
    assert "A key of the store `w` cannot be None." in messages[1]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"size_ms": None}, "`size_ms` is empty, but a window store needs it."),
        ({"retention_ms": None}, "`retention_ms` is empty, but a window store needs it."),
        ({"retention_ms": 999}, "Windows of 1000 ms are kept 999 ms."),
    ],
)
def test_a_window_store_says_how_long_its_windows_are_and_are_kept(changed, message):
    assert message in [text for _, text in issues(process("pass"), stores=[WINDOWS[0] | changed])]


SESSIONS = [{"name": "w", "kind": "session", "key_format": "string", "retention_ms": 200_000}]
VERSIONS = [{"name": "w", "kind": "versioned", "key_format": "string", "retention_ms": 100}]


def of_sessions(driver, shown):
    code = process(
        f"""
        store = self.context.store("w")
        if record.value:
            key, value, start, end = record.value
            store.put(Windowed(key, start, end), value)
        self.context.forward(record.with_value({shown}))
        """
    )
    return driver(code, key_type=STRING.to_json(), stores=SESSIONS)


def test_a_session_store_finds_one_session_those_of_a_key_and_those_that_touch_a_time(driver):
    several = of_sessions(
        driver,
        """{
            "one": store.fetch_session("a", 0, 5),
            "none": store.fetch_session("a", 0, 6),
            "key": [[*found, value] for found, value in store.fetch("a")],
            "touching": [[*found, value] for found, value in store.find_sessions("a", 5, 10)],
            "back": [value for _, value in store.find_sessions("a", 0, 2**62, reverse=True)],
        }""",
    )

    found = shown(
        several, ("a", 1, 10, 20), ("a", 2, 0, 5), ("a", 3, 11, 12), ("b", 4, 0, 9), ("a", 5, 6, 7), ("a", None, 6, 7)
    )

    assert found == {
        "one": 2,
        "none": None,
        "key": [["a", 0, 5, 2], ["a", 11, 12, 3], ["a", 10, 20, 1]],
        "touching": [["a", 0, 5, 2], ["a", 10, 20, 1]],
        "back": [1, 3, 2],
    }


def test_sessions_of_several_keys_come_by_segment_then_by_key(driver):
    several = of_sessions(driver, """[[*found, value] for found, value in store.fetch("a", "b")]""")

    found = shown(several, ("b", 1, 0, 1), ("a", 2, 0, 100_000), ("a", 3, 9, 9), ("c", 4, 0, 0), ("a", 5, 1, 2))

    assert found == [["a", 1, 2, 5], ["a", 9, 9, 3], ["b", 0, 1, 1], ["a", 0, 100_000, 2]]


def test_a_session_that_ended_before_retention_is_gone(driver):
    several = of_sessions(driver, """[[value for _, value in store.fetch("a")], store.fetch_session("a", 0, 5)]""")

    assert shown(several, ("a", 1, 0, 5), ("b", 2, 0, 200_004)) == [[1], 1]
    assert shown(several, ("b", 3, 0, 200_005)) == [[], None]
    assert several.counters()["mine"]["dropped"] == 0
    assert shown(several, ("b", 4, 0, 300_005), ("a", 5, 0, 99_999)) == [[], None]
    assert several.counters()["mine"]["dropped"] == 1
    assert sum(b"a" in key[4:] for key in several.state.values) == 0


def of_versions(driver, shown):
    """`shown` makes a list of what the store gives, each a ValueAndTimestamp or None."""
    return windows(driver, f"[found and list(found) for found in {shown}]", stores=VERSIONS)


def test_a_versioned_store_gives_the_newest_value_or_the_one_of_a_time(driver):
    several = of_versions(driver, """[store.get("a"), *(store.get("a", time) for time in (9, 10, 19, 20, 29, 30))]""")

    assert shown(several, ("a", "x", 20), ("a", "w", 10), ("a", "y", 30)) == [
        ["y", 30],
        *[None, ["w", 10], ["w", 10], ["x", 20], ["x", 20], ["y", 30]],
    ]
    assert shown(several, ("a", None, 20))[1:] == [None, ["w", 10], ["w", 10], None, None, ["y", 30]]


def test_a_versioned_store_deletes_from_a_time_on_and_says_what_was_valid(driver):
    several = of_versions(driver, """[store.delete("a", 40), store.get("a"), store.get("a", 39)]""")

    several.pipe("in", key="x", value=["a", "x", 20])

    assert several.read("out") == [("x", [["x", 20], None, ["x", 20]])]
    assert shown(several) == [None, None, ["x", 20]]


def test_what_lies_before_the_history_is_dropped_and_not_found(driver):
    several = of_versions(driver, """[store.get("a", 99), store.get("a", 100)]""")

    assert shown(several, ("a", "x", 50), ("a", "y", 150), ("b", 1, 200)) == [None, ["x", 50]]
    assert several.counters()["mine"]["dropped"] == 0
    assert shown(several, ("a", "z", 99)) == [None, ["x", 50]]
    assert several.counters()["mine"]["dropped"] == 1


def test_sessions_and_versions_have_times(driver):
    sessions, versions = of_sessions(driver, "1"), of_versions(driver, "[]")

    sessions.pipe("in", key="x", value=["a", 1, 5, 4])
    versions.pipe("in", key="x", value=["a", 1, None])

    (session,), (version,) = (
        [dict(letter.headers)["__streams.errors.message"].decode() for letter in each.dead_letters()]
        for each in (sessions, versions)
    )
    assert "takes a session, Windowed(key, start, end) with times in ms, and its value" in session
    assert "takes a key, a value and the time in ms it is valid from" in version


@pytest.mark.parametrize("kind", ["session", "versioned"])
def test_sessions_and_versions_say_how_long_they_are_kept(kind):
    found = issues(process("pass"), stores=[{"name": "w", "kind": kind}])

    assert f"`retention_ms` is empty, but a {kind} store needs it." in [text for _, text in found]


TICKING = """
    class Ticking(Processor):
        def init(self, context):
            self.context = context
            self.ticks = context.store("ticks")
            self.schedule = context.schedule(10, KIND, self.punctuate)

        def process(self, record):
            pass

        def punctuate(self, now):
            self.context.forward(Record("tick", now, now))
            CANCEL
"""


def ticking(driver, kind, cancel="pass"):
    code = TICKING.replace("KIND", repr(kind)).replace("CANCEL", cancel)
    return driver(code, stores=[{"name": "ticks"}], key_type=STRING.to_json())


def test_stream_time_calls_at_once_then_at_multiples_of_the_interval_and_skips_what_was_missed(driver):
    ticks = ticking(driver, "stream_time")
    called = []

    for timestamp in (3, 9, 10, 12, 35, 39, 40, 20):
        ticks.pipe("in", key="a", timestamp=timestamp)
        called.append([now for _, now in ticks.read("out")])

    assert called == [[3], [], [10], [], [35], [], [40], []]


def test_stream_time_of_a_punctuator_moves_by_every_record_of_the_task_also_inside_a_batch(driver):
    ticks = ticking(driver, "stream_time")

    with ticks.batch():
        for timestamp in (5, 15, 16, 25):
            ticks.pipe("in", key=None, timestamp=timestamp)

    assert [now for _, now in ticks.read("out")] == [5, 15, 25]


def test_the_wall_clock_calls_first_after_the_interval_and_needs_no_records(driver):
    ticks = ticking(driver, "wall_clock")
    called = []

    for ms in (9, 1, 5, 30, 4, 1):
        ticks.advance_wall_clock(ms)
        called.append([now for _, now in ticks.read("out")])

    assert called == [[], [10], [], [45], [], [50]]


@pytest.mark.parametrize("kind", ["stream_time", "wall_clock"])
def test_a_cancelled_schedule_stays_cancelled(driver, kind):
    ticks = ticking(driver, kind, cancel="self.schedule.cancel()")

    for timestamp in (10, 20, 30):
        ticks.advance_wall_clock(10)
        ticks.pipe("in", key="a", timestamp=timestamp)

    assert len(ticks.read("out")) == 1


class Uncalled:
    def punctuate(self, schedule: Schedule, now: int) -> None:
        raise AssertionError(f"{schedule} was called at {now}")


def test_a_schedule_that_another_version_of_the_code_no_longer_requests_is_forgotten():
    state, requests = MemoryState(), [(10, print), (20, print)]

    def keep_requests(count):
        schedules = Schedules(Uncalled(), state, Punctuations(StreamTime(), clock=lambda: 0))
        schedules.begin()
        for interval_ms, call in requests[:count]:
            schedules.ask("wall_clock", interval_ms, call)
        schedules.end()
        schedules.flush()
        return list(state.range(b"", None))

    before = keep_requests(2)

    assert keep_requests(1) == before[:1]


def test_what_a_punctuator_raises_is_an_error_without_a_record(driver):
    ticks = ticking(driver, "stream_time", cancel="raise KeyError(now)")

    ticks.pipe("in", key="a", timestamp=1)

    (letter,) = ticks.dead_letters()
    assert (letter.key, letter.value) == (None, None)
    assert dict(letter.headers)["__streams.errors.message"] == b"KeyError: 1 (line 13 of the code)"
    assert ticks.read("out") == [("tick", 1)]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("context.schedule(0, 'stream_time', print)", "minimum supported scheduling interval"),
        ("context.schedule(1, 'tuesdays', print)", "expected one of stream_time, wall_clock"),
        ("context.schedule(1, 'stream_time', 5)", "expected a method"),
        ("context.store('other')", "There is no store 'other'; the form has none"),
        ("context.forward(Record(1, 2, 3))", "nowhere to go"),
        ("1 / 0", "ZeroDivisionError"),
    ],
)
def test_a_failing_init_fails_the_task_and_names_the_node(driver, call, message):
    with pytest.raises(user_code.CodeFailed, match=message) as failure:
        driver(process("pass", init=call))

    assert failure.value.details["node"] == "mine"
    assert "(line 4 of the code)" in failure.value.message


def test_an_object_lives_for_one_batch_and_is_closed(driver):
    body = "self.seen = getattr(self, 'seen', 0) + 1\nself.context.forward(record.with_value(self.seen))"
    seen = driver(process(body), key_type=STRING.to_json())

    with seen.batch():
        seen.pipe("in", key="a")
        seen.pipe("in", key="a")
    seen.pipe("in", key="a")

    assert [value for _, value in seen.read("out")] == [1, 2, 1]


def test_code_is_judged_without_being_run():
    explosive = "raise SystemExit\nclass Mine(Processor):\n  def process(self, record): pass"

    assert issues(explosive) == []
    assert issues("class Mine(Processor):\n  def process(self record): pass")[0][0] == "code.syntax"
    assert "Line 2" in issues("class Mine(Processor):\n  def process(self record): pass")[0][1]
    assert issues("x = 1") == [("code.no_class", "Line 1: the code has no class that extends Processor.")]
    assert issues("\nclass Mine(Processor): pass") == [
        ("code.no_process", "Line 2: the class `Mine` has no method `process`.")
    ]
    assert issues(process("yield record"))[0] == (
        "code.yields",
        "Line 6: `process` yields values, but they are not used.",
    )
    assert issues(process("pass") + "\n" + process("pass"))[0][0] == "code.many_classes"
    assert issues("x" * 65_537)[0][0] == "code.too_long"
    assert issues(process("pass"), stores=[{"name": "a"}, {"name": "a"}])[0][0] == "store.twice"
    assert issues("(" * 10_000)[0][0] == "code.syntax"


@pytest.mark.parametrize(
    ("signature", "count", "names"),
    [
        ("process(self, key, value)", 3, "self, key, value"),
        ("process()", 0, "none"),
        ("process(self, record, *, more)", 3, "self, record, more"),
    ],
)
def test_a_method_that_cannot_be_called_is_pointed_out_with_its_new_form(signature, count, names):
    code = f"class Mine(Processor):\n  def {signature}:\n    pass"

    (issue,) = check(drawn(code).graph)

    assert issue.code == "code.parameters"
    assert issue.message == f"Line 2: `process` has {count} parameters ({names}); expected self, record."
    assert issue.hint.startswith("Write `def process(self, record):`.")


@pytest.mark.parametrize("signature", ["process(self, record)", "process(self, record, log=None)", "process(*all)"])
def test_a_method_that_takes_a_record_is_right(signature):
    assert issues(f"class Mine(Processor):\n  def {signature}:\n    pass") == []


def test_a_forward_of_a_key_and_a_value_is_pointed_out_with_its_new_form():
    (issue,) = check(drawn(process("self.context.forward(record.key, 1)")).graph)

    assert issue.code == "code.forward"
    assert issue.message == "Line 6: `forward` gets 2 values; expected one record."
    assert "`forward(Record(record.key, 1, record.timestamp))`" in issue.hint


def test_a_processor_as_books_print_it_is_pointed_out_before_it_runs():
    """It passed the check, and failed on every record."""
    (issue,) = check(read_seed("processor-with-key-and-value"))

    assert (issue.code, issue.node, issue.field) == ("code.parameters", "session", "code")


def test_an_issue_of_code_stands_on_its_line():
    (issue,) = check(drawn("class Mine(Processor):\n  def process(self): return )").graph)

    assert (issue.node, issue.field, issue.span) == ("mine", "code", (23, 52))


def test_where_python_is_off_the_node_says_so(monkeypatch):
    monkeypatch.delenv("STREAMWRIGHT_ALLOW_PYTHON")

    assert issues(process("pass")) == [("code.off", "Python is off on this server.")]


def test_a_process_that_is_not_made_for_it_runs_no_code(monkeypatch):
    monkeypatch.setattr(user_code, "_is_trusted", False)

    with pytest.raises(user_code.CodeNotAllowed, match="`mine` is Python code"):
        drawn(process("pass")).driver()


def test_declared_types_flow_on():
    types = {"key_type": INTEGER.to_json(), "value_type": struct(n=INTEGER).to_json()}
    builder = GraphBuilder().stream("in").add("mine", "process", {"code": process("pass")} | types, stream="in")
    builder.add("big", "filter", {"predicate": "n > key and m > 1"}, records="mine").to("out", "big")

    assert [issue.message[:9] for issue in check(builder.graph)] == ["Field `m`"]


def test_a_schedule_outside_of_init_is_an_error_of_the_record(driver):
    late = driver(process("self.context.schedule(1_000, 'stream_time', print)"))

    late.pipe("in", key="a", value=1)

    (letter,) = late.dead_letters()
    assert b"schedule() belongs in init()" in (dict(letter.headers)["__streams.errors.message"] or b"")


def test_a_store_keeps_no_headers_so_that_one_which_must_last_goes_into_the_value(driver):
    code = process(
        """
        kept = self.context.store("kept")
        self.context.forward(record.with_value(kept.get("a")))
        kept.put("a", {"trace": dict(record.headers)["trace"].decode()})
        """
    )
    keeping = driver(code, stores=[{"name": "kept", "key_format": "string"}], key_type=STRING.to_json())

    for trace in (b"1", b"2"):
        keeping.pipe("in", key="a", value=0, headers={"trace": trace})

    assert keeping.read("out") == [("a", None), ("a", {"trace": "1"})]
    assert keeping.dead_letters() == []


def test_entries_of_a_version_without_a_time_to_live_end_after_one_with_it(driver):
    def counter(ttl_ms, state=None):
        made = driver(COUNTER, **COUNTS | {"stores": [{"name": "counts", "key_format": "string", "ttl_ms": ttl_ms}]})
        if state is not None:
            made.state.values, made.state.keys = state.values, state.keys
            made._start()  # over the state of the version before
        return made

    first = counter(None)
    first.pipe("in", key="a", value=1, timestamp=0)
    second = counter(100, first.state)
    second.pipe("in", key="b", value=1, timestamp=100)
    third = counter(None, second.state)
    third.pipe("in", key="b", value=1, timestamp=1_000)
    fourth = counter(500, third.state)
    fourth.pipe("in", key="b", value=1, timestamp=1_400)

    assert fourth.read("out") == [("b", 3)]
    assert {key[4:] for key in fourth.state.values if key[4:5] == b"e"} == {b"eb"}


@pytest.fixture
def usual_recursion_limit() -> Iterator[None]:
    """The limit of a process that has made no task of a long chain."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(1_000)
    yield
    sys.setrecursionlimit(before)


def test_a_long_expression_in_the_old_form_of_forward_is_named_by_its_beginning(usual_recursion_limit: None):
    """Python compiles expressions that are too deep for it to write."""
    code = "class Old(Processor):\n    def process(self, record):\n        context.forward({}, 1)\n"

    (short, long) = (next(find_code_issues(code.format("+".join(["a"] * count)))) for count in (3, 700))

    assert (short.args["key"], long.args["key"]) == ("a + a + a", "…")
    assert long.code is IssueCode.CODE_FORWARD
