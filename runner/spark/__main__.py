"""`python -m runner.spark`: executes the plan on standard input."""

import os
import sys

from runner.spark.run import main

if __name__ == "__main__":
    code = main()
    sys.stderr.flush()
    # sys.exit would wait: threads of the JVM gateway may still wait for answers
    os._exit(code)
