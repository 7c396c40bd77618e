"""How the results of one input record, or of one clock, differ between two versions."""

from runner.spark.proving.grading import grade_results
from runner.spark.proving.versions import Result


class CountedValue(bytes):
    """A value that counts how often it is compared."""

    comparisons = 0
    __hash__ = bytes.__hash__

    def __eq__(self, other: object) -> bool:
        CountedValue.comparisons += 1
        return super().__eq__(other)


def make_results(prefix: str, values: list[bytes]) -> list[Result]:
    return [Result(f"{prefix}{number}".encode(), value, 0, None) for number, value in enumerate(values)]


def test_a_result_under_another_key_is_paired_with_the_first_of_its_value() -> None:
    old, new = make_results("a", [b"1", b"2", b"1", b"3"]), make_results("b", [b"1", b"1", b"4"])

    graded = list(grade_results(old, new, are_dead_letters=False))

    assert [(grade, key) for grade, key, _ in graded] == [
        ("other_key", b"b0"),
        ("other_key", b"b1"),
        ("extra", b"b2"),
        ("missing", b"a1"),
        ("missing", b"a3"),
    ]
    assert [pair[0][0].key for _, _, pair in graded[:2]] == [b"a0", b"a2"]


def test_many_results_under_other_keys_are_not_all_compared_with_each_other() -> None:
    """As when a clock closes all windows of a batch, and the change is one of the key."""
    count = 500
    values = [[CountedValue(str(number).encode()) for number in range(count)] for _ in range(2)]
    CountedValue.comparisons = 0

    graded = list(
        grade_results(
            make_results("a", list(values[0])), make_results("b", list(values[1][::-1])), are_dead_letters=False
        )
    )

    assert [grade for grade, _, _ in graded] == ["other_key"] * count
    assert CountedValue.comparisons < 10 * count
