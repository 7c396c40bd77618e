"""The times of batches, whatever happens to the clock of the host."""

from itertools import pairwise

from runner.spark.source.batch_clock import BEHIND, BatchClock

HOUR = 3_600.0


class Host:
    """Its clocks, in seconds."""

    def __init__(self) -> None:
        self.wall, self.monotonic = 1_000_000.0, 50.0
        self.clock = BatchClock(lambda: self.wall, lambda: self.monotonic)

    def passes(self, seconds: float) -> None:
        self.wall += seconds
        self.monotonic += seconds


def test_batches_have_the_time_of_day() -> None:
    host = Host()
    first = host.clock.read(0)
    host.passes(2.5)

    assert (first, host.clock.read(first)) == (1_000_000_000, 1_000_002_500)


def test_a_clock_that_is_set_forward_is_followed_at_once() -> None:
    host = Host()
    first = host.clock.read(0)
    host.wall += HOUR

    assert host.clock.read(first) == first + 3_600_000


def test_times_go_on_slower_after_the_clock_was_set_back_until_it_has_caught_up() -> None:
    host = Host()
    times = [host.clock.read(0)]
    host.wall -= 60.0
    for _ in range(700):
        for _ in range(10):  # looks that find no batch to begin
            host.passes(0.1)
            time = host.clock.read(times[-1])
        times.append(time)

    steps = [after - before for before, after in pairwise(times)]
    assert min(steps) >= 1_000 * BEHIND
    assert steps[0] < 1_000
    assert times[-1] == int(host.wall * 1_000)


def test_two_batches_never_have_the_same_time() -> None:
    host = Host()
    first = host.clock.read(0)
    host.wall -= HOUR

    assert host.clock.read(first) == first + 1
