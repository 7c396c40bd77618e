"""Bytes that Kafka Streams 4.4 has written into its changelog topics (`tests/proof/adopting/Programs.java`)."""

import base64
import json

import pytest

from designer.values.schemas import WindowSpec
from runner.engine.adopting.serialization import (
    ChangelogRecord,
    Unreadable,
    read_buffered_change,
    read_key_of_session_store,
    read_key_of_window,
    read_key_of_window_store,
)

TEN_SECONDS = WindowSpec(kind="tumbling", size_ms=10_000, grace_ms=5_000)
SESSIONS = WindowSpec(kind="session", size_ms=3_000, grace_ms=5_000)
TOPIC = "left-suppress-a5f4fb58"
VERSION_3 = '[{"key":"v","value":"Aw=="}]'
FIRST_OF_KEY = (
    "00000000000027100000000000000000000000166c6566742d73757070726573732d61356634666235380000000000000000"
    "000000080000000000000000fffffffe0000000800000000000000010000000000004e20"
)
AFTER_ONE = (
    "00000000000080e80000000000000005000000166c6566742d73757070726573732d613566346662353800000000000000000000000800"
    "000000000000000000000800000000000000010000000800000000000000020000000000009c40"
)
WITH_HEADERS = (
    "0000000000007ef40000000000000004000000166c6566742d73757070726573732d6162346636386663000000000000000200000001"
    "680000000131000000016effffffff000000080000000000000000fffffffe0000000800000000000000010000000000009c40"
)
"""Of a store with headers (`dsl.store.format=headers`)."""


def change(data: str, headers: str | None = VERSION_3) -> ChangelogRecord:
    return ChangelogRecord(bytes.fromhex("610000000000002710"), bytes.fromhex(data), 1_795_897_055_443, headers)


def long(number: int) -> bytes:
    return number.to_bytes(8, "big")


def test_a_key_of_a_window_store_ends_with_the_start_and_a_number() -> None:
    assert read_key_of_window_store(bytes.fromhex("61000000000000271000000000"), TEN_SECONDS) == (b"a", 10_000, 20_000)


def test_a_key_of_a_session_store_ends_with_end_and_start() -> None:
    key = bytes.fromhex("610000000000002ee00000000000002710")

    assert read_key_of_session_store(key) == (b"a", 10_000, 12_000)


@pytest.mark.parametrize(
    ("key", "window", "bounds"),
    [
        ("610000000000002710", TEN_SECONDS, (10_000, 20_000)),
        ("6100000000000080e80000000000007918", SESSIONS, (31_000, 33_000)),
    ],
)
def test_a_serde_of_windows_writes_the_start_and_one_of_sessions_both(
    key: str, window: WindowSpec, bounds: tuple[int, int]
) -> None:
    assert read_key_of_window(bytes.fromhex(key), window) == (b"a", *bounds)


def test_the_first_update_of_a_key_in_the_buffer_shares_its_prior_and_old_value() -> None:
    read = read_buffered_change(change(FIRST_OF_KEY))

    assert (read.time, read.prior, read.old, read.new) == (20_000, long(0), long(0), long(1))
    assert (read.timestamp, read.topic, read.partition, read.offset, read.headers) == (10_000, TOPIC, 0, 0, None)


def test_a_later_update_keeps_the_prior_value() -> None:
    read = read_buffered_change(change(AFTER_ONE))

    assert (read.prior, read.old, read.new, read.timestamp) == (long(0), long(1), long(2), 33_000)


def test_headers_of_the_buffered_record_are_kept() -> None:
    headers = json.dumps([{"key": "v", "value": "Aw=="}, {"key": "vh.old", "value": "AP//////////"}])

    read = read_buffered_change(change(WITH_HEADERS, headers))

    one = base64.b64encode(b"1").decode()
    assert json.loads(read.headers or "") == [{"key": "h", "value": one}, {"key": "n", "value": None}]
    assert read.new == long(1)


@pytest.mark.parametrize("headers", [None, '[{"key":"v","value":"Ag=="}]'])
def test_another_version_of_the_buffer_is_refused(headers: str | None) -> None:
    with pytest.raises(Unreadable, match="Only 3 can be read"):
        read_buffered_change(change(FIRST_OF_KEY, headers))


@pytest.mark.parametrize("data", [FIRST_OF_KEY[:-2], FIRST_OF_KEY + "00", ""])
def test_bytes_that_end_elsewhere_are_refused(data: str) -> None:
    with pytest.raises(Unreadable, match="not a buffered update"):
        read_buffered_change(change(data))


def test_keys_that_are_too_short_or_of_duplicates_are_refused() -> None:
    with pytest.raises(Unreadable, match="too short"):
        read_key_of_session_store(b"a")
    with pytest.raises(Unreadable, match="duplicates"):
        read_key_of_window_store(bytes.fromhex("61000000000000271000000001"), TEN_SECONDS)
