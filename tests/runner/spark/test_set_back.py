"""When a run ends because of the clock of its host."""

from runner.spark.set_back import SetBack


class Host:
    def __init__(self) -> None:
        self.wall, self.monotonic = 1_000_000.0, 50.0
        self.clock = SetBack(lambda: self.wall, lambda: self.monotonic)

    def passes(self, seconds: float) -> None:
        self.wall += seconds
        self.monotonic += seconds


def test_a_step_back_is_noticed() -> None:
    host = Host()
    host.passes(5.0)
    assert not host.clock.look()

    host.wall -= 3_600.0
    assert host.clock.look()
    host.passes(0.2)
    assert host.clock.look()


def test_a_step_forward_a_slow_clock_and_a_small_step_change_nothing() -> None:
    host = Host()
    host.wall += 86_400.0
    assert not host.clock.look()

    for _ in range(1_000):
        host.passes(0.25)
        host.wall -= 0.000_1
        assert not host.clock.look()

    host.wall -= 0.5
    assert not host.clock.look()
