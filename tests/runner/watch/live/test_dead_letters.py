"""What the headers of a dead letter say of the record that failed."""

from runner.engine.tasks.errors import PREFIX
from runner.kafka import Message
from runner.watch.topics.dead_letters import read_dead_letter


def buried(*stories: dict[str, str]) -> Message:
    said = [(f"{PREFIX}{name}", text.encode()) for story in stories for name, text in story.items()]
    return Message(0, 0, 0, None, None, tuple(said))


def test_of_a_record_that_failed_twice_the_last_story_counts_as_a_whole():
    first = {"exception": "DecodeError", "node": "orders", "topic": "orders", "partition": "1", "offset": "7"}
    behind_a_shuffle = {"exception": "RecordError", "message": "Division by zero.", "node": "shares"}

    found = read_dead_letter(buried(first, behind_a_shuffle))

    assert (found["node"], found["reason"], found["exception"]) == ("shares", "Division by zero.", "RecordError")
    assert (found["topic"], found["partition"], found["offset"]) == (None, None, None)
