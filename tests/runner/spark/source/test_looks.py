"""Since when the records of a batch can have waited."""

from runner.spark.source.looks import MAX_LOOKS, Looks
from runner.spark.source.reading import Range


def test_records_after_an_idle_hour_have_waited_since_the_last_look_without_them():
    looks = Looks()
    for at in range(0, 3_600_000, 100):
        looks.note(at, {"a": [7, 3]})
    looks.note(3_600_000, {"a": [7, 900]})

    assert looks.find_since([Range(0, "a", 1, 3, 900)]) == 3_599_900
    assert len(looks.looks) == 2


def test_records_of_a_backlog_have_waited_since_a_look_found_none_of_them():
    looks = Looks()
    looks.note(0, {"a": [100]})
    looks.note(1_000, {"a": [300]})
    looks.note(2_000, {"a": [500]})

    assert looks.find_since([Range(0, "a", 0, 100, 200)]) == 0
    assert looks.find_since([Range(0, "a", 0, 200, 300)]) == 0
    assert looks.find_since([Range(0, "a", 0, 300, 500)]) == 1_000


def test_what_was_there_before_the_first_look_has_waited_since_then_at_least():
    looks = Looks()
    for at in (500, 600):
        looks.note(at, {"a": [10_000]})

    assert looks.find_since([Range(0, "a", 0, 0, 5_000)]) == 500


def test_the_partition_that_waited_longest_counts_and_a_new_one_begins_with_nothing():
    looks = Looks()
    looks.note(0, {"a": [10, 10]})
    looks.note(1_000, {"a": [10, 20]})
    looks.note(2_000, {"a": [15, 20, 4]})

    assert looks.find_since([Range(0, "a", 0, 10, 15), Range(0, "a", 2, 0, 4)]) == 1_000
    assert (
        looks.find_since([Range(0, "a", 1, 10, 20)]) == 1_000
    )  # looks before it are forgotten: what is next came later


def test_a_batch_without_records_or_of_an_earlier_life_says_nothing():
    looks = Looks()
    assert looks.find_since([Range(0, "a", 0, 0, 5)]) is None
    looks.note(0, {"a": [0]})
    assert looks.find_since([]) is None


def test_looks_of_a_long_backlog_are_thinned_and_never_say_too_little():
    looks = Looks()
    for at in range(10_000):
        looks.note(at, {"a": [at]})

    assert len(looks.looks) <= MAX_LOOKS
    assert looks.find_since([Range(0, "a", 0, 5_000, 9_999)]) <= 5_000  # type: ignore[operator]
