"""Builds the package: our three Python packages, the built pages as `webapp/pages`, the site of docs/ as `webapp/site`.

Settings: pyproject.toml.
"""

import os
import subprocess
import sys
from pathlib import Path

from setuptools import find_packages, setup

ROOT = Path(__file__).parent
PAGES, SITE = "frontend/dist", ".run/site"

if not all((ROOT / folder / "index.html").exists() for folder in (PAGES, SITE)):
    installs = [sys.executable, "-m", "local.install"]  # what `make install` calls; it builds both
    subprocess.run(installs, check=True, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT / "webapp")})

setup(
    packages=[*find_packages(include=["designer*", "runner*", "webapp*"]), "webapp.pages", "webapp.site"],
    package_dir={"webapp.pages": PAGES, "webapp.site": SITE},
    package_data={"": ["*", "**/*"]},
    exclude_package_data={"": ["*.pyc", "**/__pycache__/*"]},
)
