from runner.engine.stores.state import MemoryState


def test_entries_are_ordered_by_their_keys():
    state = MemoryState()
    for key in (b"b", b"a", b"\xff", b"ab"):
        state.put(key, key * 2)

    assert list(state.range(b"", b"\xff")) == [(b"a", b"aa"), (b"ab", b"abab"), (b"b", b"bb")]
    assert [key for key, _ in state.range(b"ab", b"\xff\xff", reverse=True)] == [b"\xff", b"b", b"ab"]


def test_what_is_deleted_is_gone():
    state = MemoryState()
    for key in (b"a", b"b", b"c", b"d"):
        state.put(key, b"1")

    state.delete(b"a")
    state.delete(b"never")
    state.delete_range(b"b", b"d")

    assert list(state.range(b"", b"z")) == [(b"d", b"1")]
    assert state.get(b"b") is None
