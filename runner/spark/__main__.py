"""`python -m runner.spark`: executes the plan on standard input."""

import gc
import os
import sys

if __name__ == "__main__":
    # imports make hardly any garbage, and looking for it takes a sixth of their time
    gc.disable()
    from runner.spark.run import main

    gc.freeze()
    gc.enable()
    code = main()
    sys.stderr.flush()
    # sys.exit would wait: threads of the JVM gateway may still wait for answers
    os._exit(code)
