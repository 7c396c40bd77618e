"""`python -m webapp.local.npm ...`: the npm of the Node wheel, in frontend/."""

import os
import subprocess
import sys

from .install import FRONTEND, make_npm_command, make_npm_environment

if __name__ == "__main__":
    command = [str(part) for part in make_npm_command(*sys.argv[1:])]
    sys.exit(subprocess.run(command, cwd=FRONTEND, env={**os.environ, **make_npm_environment()}).returncode)
