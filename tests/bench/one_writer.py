"""`python -m tests.bench.one_writer`: a run whose results all leave through its own process, wherever it is."""

import os

from runner.spark.run import main
from runner.spark.sink.writer import Writer

if __name__ == "__main__":
    setattr(Writer, "slot_batch", lambda *_: None)  # noqa: B010  (slots get nothing to write)
    os._exit(main())
