"""Letters go back exactly once, in the order of their records, however often the process that sends them is killed."""

from __future__ import annotations

import random
import time
from collections import defaultdict

import pytest

from tests.runner.watch.dead_letters.stage import Stage, carrying_on

AT_ONCE = 50
"""Records of a transaction, so that kills fall among many."""


@pytest.mark.parametrize(("count", "kills"), [(500, 2), pytest.param(10_000, 20, marks=pytest.mark.soak)])
def test_each_letter_goes_back_once_under_kills(
    stage: Stage, environment: dict[str, str], count: int, kills: int
) -> None:
    chance = random.Random(27)
    stage.bury(*(_letter(stage.source, number) for number in range(count)))
    redrive = stage.post("redrives", 201)["id"]

    for _ in range(kills):
        with carrying_on(redrive, AT_ONCE, environment) as child:
            assert child.stdout is not None
            for _ in range(chance.randint(1, 5)):
                assert child.stdout.readline() in ("begun\n", "sent\n")
            time.sleep(chance.uniform(0, 0.2))
    assert 0 < len(stage.records(stage.source)) < count
    with carrying_on(redrive, AT_ONCE, environment) as child:
        assert child.wait() == 0

    back = stage.records(stage.source)
    assert len(back) == count
    assert {each.value for each in back} == {b"%d" % number for number in range(count)}
    by_key = defaultdict(list)
    for each in back:
        by_key[each.key].append(int(each.value or b""))
        assert (each.timestamp, each.headers) == (5_000 + int(each.value or b""), (("trace", b"x"),))
        assert each.partition == int(each.value or b"") % 4
    assert all(values == sorted(values) for values in by_key.values())
    assert len(stage.marks()) == count
    (said,) = stage.client.get(f"/api/jobs/{stage.job.id}/redrives").json()
    assert (said["status"], said["sent"], said["refused"]) == ("done", count, [])


def _letter(source: str, number: int) -> dict[str, object]:
    story = {"topic": source, "partition": number % 4, "offset": number // 4, "input": "true"}
    return {
        "key": b"key-%d" % (number % 4),
        "value": b"%d" % number,
        "time": 5_000 + number,
        "headers": [("trace", b"x")],
        "story": story,
    }
