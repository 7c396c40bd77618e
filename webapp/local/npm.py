"""`python -m webapp.local.npm ...`: the npm of the Node wheel, in frontend/."""

import os
import subprocess
import sys

from .install import FRONTEND, node, node_environment

if __name__ == "__main__":
    command = [str(part) for part in node(*sys.argv[1:])]
    sys.exit(subprocess.run(command, cwd=FRONTEND, env={**os.environ, **node_environment()}).returncode)
