"""Word count: E36."""

from __future__ import annotations

from tests.gallery.probe import Probe, each

PROBES = {
    # "hello, hello  world!" is cut at ", ", "  " and "!"; the empty part at the end is none.
    # " café au lait" begins with a separator: an empty word in front. é is none of [a-zA-Z0-9_], so "é " is one
    # separator, and the word is caf.
    # An empty text has no separator and is one empty word; of "..." only empty parts would be left, so it has none.
    "e36-word-count": Probe(
        each(
            "text-lines",
            (None, "Hello, hello  World!", 0),
            (None, " Café au lait", 1),
            ("k", "", 2),
            (None, "...", 3),
            (None, "WORLD", 4),
        ),
        {
            "word-counts": [
                ("hello", 1, 0),
                ("hello", 2, 0),
                ("world", 1, 0),
                ("", 1, 1),
                ("caf", 1, 1),
                ("au", 1, 1),
                ("lait", 1, 1),
                ("", 2, 2),
                ("world", 2, 4),
            ]
        },
    ),
}
