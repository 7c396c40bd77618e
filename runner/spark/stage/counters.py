"""Counters of calls, by node and name, as they travel and are added up."""

Counters = dict[str, dict[str, int]]


def add(totals: Counters, more: Counters) -> None:
    """Adds counters by node."""
    for node, counts in more.items():
        own = totals.setdefault(node, {})
        for name, count in counts.items():
            own[name] = own.get(name, 0) + count
