"""Why nothing comes out of a node: from facts to one answer in plain English. Pure. All sentences are here.

It goes from the node upstream to the first one where records stay. The outcome of most of them is the answer, and
that of the others is in `also`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from designer.reasons import BY_TEXT, CURES, Reason, ReasonKind
from designer.text import write_count, write_duration
from runner.control.jobs.job_status import JobStatus
from runner.engine.queryable.holding import HeldByTask, NewestRecord, find_nodes_before
from runner.engine.tasks.event_time import format_time
from runner.watch.why.facts import Answer, Code, Facts

UNTIL = {
    "window_close": "its window is open until stream time {due}",
    "time_limit": "it is held back until stream time {due}",
    "late_rows": "it waits for late rows of the table until stream time {due}",
    "partner": "it waits for a partner until stream time {due}",
}


class Outcome(NamedTuple):
    """The outcome of some records of a node."""

    records: int
    code: Code
    text: str
    hint: str


def answer_status(job_status: JobStatus) -> tuple[Code, str, str] | None:
    """Why a job processes nothing at all: code, sentence and hint. None while it runs."""
    status = job_status["status"]
    cause = job_status["problem"] or (job_status["failure"] if status == "failed" else None)
    last_step = job_status["steps"][-1]["step"] if job_status["steps"] else None
    match status:
        case "running":
            return None
        case "failed":
            hint = cause["hint"] if cause else "Read its log."
            return "failed", f"The job failed. {_make_message(cause)}".strip(), hint
        case "starting" | "restoring" if last_step == "restoring" or status == "restoring":
            text = "The job loads its tables first, and reads no other records until they are loaded."
            return "loading_tables", text, "Wait. The job page shows how far it is."
        case "starting":
            return "starting", f"The job is starting. {_make_message(cause)}".strip(), "Wait until it runs."
        case "stopping":
            return "stopped", "The job is stopping.", "Start it again to process records."
        case _:
            return "stopped", "The job is stopped, so no records are processed.", "Start the job."


def answer_why(facts: Facts, node: str) -> Answer:
    """Why nothing comes out of a running node."""
    out, since = facts.number(node, "out"), facts.since
    if not facts.is_dry(node):
        rate = "" if facts.is_trial else f", {facts.number(node, 'out_rate'):,.1f} a second now"
        return _answer(
            "comes_out", node, f"Records do come out of `{node}`: {write_count(out, 'record')} {since}{rate}.", ""
        )
    answer = _explain(facts, node)
    if not out or facts.is_trial:
        return answer
    earlier = f"{write_count(out, 'record')} came out of `{node}` {since}, but none in the last seconds."
    return {**answer, "text": f"{earlier} {answer['text']}"}


def _explain(facts: Facts, node: str) -> Answer:
    """The node at which records stay, found from a node without output. Each node is asked once, sources first."""
    answers: dict[str, Answer] = {}
    wanted = set(find_nodes_before(facts.graph, node))
    for each in facts.graph.sort_nodes():
        if each.id not in wanted:
            continue
        before = [source for _, source in facts.find_feeding(each.id) if facts.is_dry(source)]
        answers[each.id] = _explain_one(facts, each.id, [answers[source] for source in before])
    return answers[node]


def _explain_one(facts: Facts, node: str, before: Sequence[Answer]) -> Answer:
    """The answer for a node, from those for the nodes without output that feed it."""
    outcomes = sorted(_find_outcomes(facts, node), key=lambda outcome: -outcome.records)
    now = not facts.is_trial and bool(facts.number(node, "out"))
    arrives = facts.number(node, "rate") if now else facts.number(node, "in")
    if topics := facts.topics_of(node):
        if outcomes and arrives:
            return _of_outcomes(facts, node, outcomes)
        code, text, hint = _of_source(facts, node, topics)
        return _answer(code, node, text, hint)
    if outcomes and (arrives or facts.held(node) > 0):
        answer = _of_outcomes(facts, node, outcomes)
        if answer["code"] == "no_partner":
            return _add(answer, [*(each["text"] for each in before), *answer["also"]])
        return answer
    if before:
        first, *others = before
        return _add(first, [*first["also"], *(each["text"] for each in others)])
    if outcomes:
        return _of_outcomes(facts, node, outcomes)
    text = f"Records are on their way to `{node}`; the batch that brings them is not committed yet."
    return _answer("on_its_way", node, text, "Ask again in a few seconds.")


def _add(answer: Answer, also: Iterable[str]) -> Answer:
    """The answer with other texts, each once: branches may begin at the same node."""
    return {**answer, "also": [text for text in dict.fromkeys(also) if text != answer["text"]]}


def _of_outcomes(facts: Facts, node: str, outcomes: Sequence[Outcome]) -> Answer:
    first, *others = outcomes
    arrivals = facts.number(node, "in")
    text = f"{write_count(arrivals, 'record')} arrived at `{node}` {facts.since}. {first.text}"
    return _answer(first.code, node, text, first.hint, [each.text for each in others])


def _of_source(facts: Facts, node: str, topics: Sequence[str]) -> tuple[Code, str, str]:
    """Why a source gives nothing now: code, sentence and hint."""
    numbers = {topic: facts.topics.get(topic, {}) for topic in topics}
    names = " and ".join(f"`{topic}`" for topic in topics) if len(topics) < 4 else f"{len(topics)} topics"
    total = {name: sum(each.get(name) or 0 for each in numbers.values()) for name in ("total_lag", "total_waiting")}
    if facts.is_trial:
        text = f"{_start_sentence(names, topics)} no records to try."
        return "topic_empty", text, "Send records to it, or make some up."
    if gone_topics := [topic for topic, each in numbers.items() if each.get("changed") == "gone"]:
        hint = "Create it again, then deploy the job: the dialog offers to keep its state."
        return "topic_gone", f"The topic `{gone_topics[0]}` is gone.", hint
    if total["total_waiting"]:
        seconds = max((each.get("waiting_s") or 0 for each in numbers.values()), default=0)
        text = (
            f"{write_count(total['total_waiting'], 'record')} of {names} {_are(total['total_waiting'])} "
            f"behind a transaction that has been open for {write_duration(seconds * 1_000)}. "
            "A job reads them once it is committed."
        )
        return "open_transaction", text, "Let the producer commit or abort, or find out why it hangs."
    if total["total_lag"]:
        lag = write_count(total["total_lag"], "record")
        text = f"`{node}` has {lag} of {names} still to read; no batch has brought them yet."
        return "not_read_yet", text, "Wait. If the lag does not fall, look at the job's log."
    if any(each.get("total_lag") is None for each in numbers.values()):
        text = f"The run has not committed a batch yet, so how far {names} is read is not known."
        return "not_read_yet", text, "Ask again once the first batch is committed."
    ends = sum(sum(each.get("ends") or ()) for each in numbers.values())
    if numbers and not ends and all(each.get("ends") for each in numbers.values()):
        return "topic_empty", f"{_start_sentence(names, topics)} no records.", "Send records to it."
    whole = "topic" if len(topics) == 1 else "topics"
    text = f"The node `{node}` has read the {whole} {names} to the end: nothing new arrives."
    hint = "Send records. A job that starts at the end of a topic reads only what comes later."
    return "nothing_new", text, hint


def _find_outcomes(facts: Facts, node: str) -> Iterator[Outcome]:
    """The outcome of records that arrived at a node and did not leave."""
    drops, silent = facts.reasons(node, "dropped_by"), facts.reasons(node, "no_result")
    holdings = facts.holdings.get(node, ())
    wait_count = sum(count for words, count in silent.items() if _name_kind(words) == "waiting")
    waiting = facts.held(node)
    if waiting > 0:
        yield _of_waiting(waiting, wait_count, holdings)
    for words, count in silent.items():
        if _name_kind(words) != "waiting":
            yield _of_silence(facts, node, words, count)
    for words, count in drops.items():
        yield _of_drop(facts, node, words, count, holdings)
    if errors := facts.number(node, "errors"):
        letters = facts.number(node, "dead_letters")
        became = "1 became a dead letter" if letters == 1 else f"{letters:,} became dead letters"
        text = f"{write_count(errors, 'record')} failed there{f'; {became}' if letters else ''}."
        hint = "Look at its dead letters: they say why, and can be tried and sent back."
        yield Outcome(errors, "errors", text, hint if letters else "The tab Log says why each was skipped.")


def _of_waiting(waiting: int, wait_count: int, holdings: Sequence[HeldByTask]) -> Outcome:
    """The waiting records. The first continues at the time of the task that reaches it first."""
    due = [each for each in holdings if each["due"] is not None and each["until"]]
    results = "1 result waits" if waiting == 1 else f"{waiting:,} results wait"
    if not due:
        hint = "Send later records: only they move stream time."
        return Outcome(waiting + wait_count, "waiting", f"{results} there.", hint)
    nearest = min(due, key=lambda each: (each["due"] or 0) - (each["stream_time"] or 0))
    until = UNTIL[nearest["until"] or "time_limit"].format(due=_describe_time(nearest["due"]))
    sentence = f"{results} there. Of the first, {until}" if waiting > 1 else f"{results} there: {until}"
    text = f"{sentence}; stream time is {_describe_time(nearest['stream_time'])}{_of_task(nearest, holdings)}."
    missing = (nearest["due"] or 0) - (nearest["stream_time"] or 0)
    later = write_duration(missing)
    hint = f"A record {later} later than the newest releases it. With an idle time, the clock does too."
    code: Code = "window_open" if nearest["until"] == "window_close" else "waiting"
    return Outcome(waiting + wait_count, code, text, hint)


def _name_kind(words: str) -> ReasonKind:
    """The handling of a reason. For one of another version, only its words."""
    reason = BY_TEXT.get(words)
    return "other" if reason is None else reason.kind


def _of_silence(facts: Facts, node: str, words: str, count: int) -> Outcome:
    kind = _name_kind(words)
    if kind == "partner":
        return Outcome(
            count, "no_partner", _describe_partners(facts, node, words, count), _make_partner_hint(facts, node)
        )
    if kind == "predicate":
        arrivals = facts.number(node, "in")
        verb = "took a branch" if words == Reason.NO_BRANCH else "passed its predicate"
        text = f"None of them {verb}." if count == arrivals else f"Of {write_count(count, 'record')}, none {verb}."
        return Outcome(count, "filtered", text, "Check the expression with a trial of the node.")
    return Outcome(count, "no_result", f"{write_count(count, 'record')} gave no result: {words}.", "")


def _of_drop(facts: Facts, node: str, words: str, count: int, holdings: Sequence[HeldByTask]) -> Outcome:
    kind, cure = _name_kind(words), CURES.get(words, "")
    if kind == "late":
        return _of_late(facts, node, count, holdings)
    if kind == "null_key":
        text = f"{write_count(count, 'record')} had a null key and {_were(count)} dropped, as Kafka Streams does."
        return Outcome(count, "null_key", text, cure)
    text = f"{write_count(count, 'record')} {_were(count)} dropped: {words}."
    return Outcome(count, "dropped", text, cure)


def _of_late(facts: Facts, node: str, count: int, holdings: Sequence[HeldByTask]) -> Outcome:
    """The grace period that would have kept the known late records."""
    examples = [each for each in facts.examples(node, Reason.LATE) if each.get("late_ms") is not None]
    grace = next((each["grace_ms"] for each in holdings if each["grace_ms"] is not None), None)
    came = f"{write_count(count, 'record')} came too late and {_were(count)} dropped"
    if not examples:
        return Outcome(count, "late", f"{came}.", Reason.LATE.cure)
    worst = max(examples, key=lambda each: each["late_ms"])
    more = worst["late_ms"]
    one = f"the one of {_describe_time(worst['timestamp'])}" + (
        f" with key {worst['key']}" if worst["key"] is not None else ""
    )
    if grace is None:
        text = f"{came}. {write_duration(more)} more grace would have kept {one}."
    else:
        enough = write_duration(grace + more)
        text = f"{came}. The grace is {write_duration(grace)}; {enough} would have kept {one}."
    return Outcome(
        count, "late", text, f"Raise the grace by {write_duration(more)}, or find out why records come late."
    )


def _describe_partners(facts: Facts, node: str, words: str, count: int) -> str:
    """Says that there was no partner, with the newest record of each side."""
    text = f"{write_count(count, 'record')} found no partner."
    sides = dict(facts.find_feeding(node))
    parts = []
    for port in ("left", "right"):
        newest, is_kept = _find_newest(facts, node, port, sides.get(port))
        if newest is not None:
            parts.append(f"on the {port} {newest['key']} of {_describe_time(newest['timestamp'])}")
        elif is_kept:
            parts.append(f"on the {port} none")
    examples = facts.examples(node, words)
    if examples and not any(each.startswith("on the left") for each in parts):
        last = examples[-1]
        parts.insert(0, f"on the left {last['key']} of {_describe_time(last['timestamp'])}")
    return f"{text} The newest keys: {', '.join(parts)}." if parts else text


def _find_newest(facts: Facts, node: str, port: str, source: str | None) -> tuple[NewestRecord | None, bool]:
    """The newest record of a side, and whether that side's records are stored at all."""
    own = [each["newest"][port] for each in facts.holdings.get(node, ()) if port in each["newest"]]
    if not own and source is not None and (table := facts.table_of(source)) is not None:
        own = [each["newest"].get("") for each in facts.holdings[table]]
    records = [each for each in own if each is not None]
    return max(records, key=lambda each: each["timestamp"], default=None), bool(own)


def _make_partner_hint(facts: Facts, node: str) -> str:
    behind = [
        f"`{topic}`"
        for _, source in facts.find_feeding(node)
        if (table := facts.table_of(source)) is not None
        for topic in facts.topics_of(table)
        if facts.topics.get(topic, {}).get("total_lag")
    ]
    if behind:
        return f"{' and '.join(behind)} is not read to its end yet: rows may still come."
    return "Compare the keys: they must be equal, also in case and spaces. Between streams, times must be near, too."


def _answer(code: Code, node: str, text: str, hint: str, also: Sequence[str] = ()) -> Answer:
    return {"code": code, "node": node, "text": text, "hint": hint, "also": list(also)}


def _make_message(cause: Mapping[str, Any] | None) -> str:
    return str(cause["message"]) if cause else ""


def _of_task(holding: HeldByTask, every: Sequence[HeldByTask]) -> str:
    return f" in task {holding['task']} of {len(every)}" if len(every) > 1 else ""


def _were(count: int) -> str:
    return "was" if count == 1 else "were"


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def _start_sentence(name: str, topics: Sequence[str]) -> str:
    return f"The topic {name} has" if len(topics) == 1 else f"{name} have"


def _describe_time(ms: int | None) -> str:
    return "not known" if ms is None else format_time(ms).partition(" (")[0]
