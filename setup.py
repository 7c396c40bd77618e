"""Builds the package: our three Python packages, the built pages as `webapp/pages`, the site of docs/ as `webapp/site`.

It holds the kernel if cargo is here, and is then a package for this platform. Settings: pyproject.toml.
"""

import os
import subprocess
import sys
from pathlib import Path

from setuptools import Distribution, find_packages, setup

ROOT = Path(__file__).parent
PAGES, SITE = "frontend/dist", ".run/site"

if not all((ROOT / folder / "index.html").exists() for folder in (PAGES, SITE)):
    installs = [sys.executable, "-m", "local.install"]  # what `make install` calls; it builds both
    subprocess.run(installs, check=True, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT / "webapp")})

KERNEL = ROOT / "runner" / "kernel" / "streamwright_kernel.abi3.so"  # `make install` builds it


class PlatformDistribution(Distribution):
    """A distribution with a compiled module, for all versions of Python from 3.11 on."""

    def has_ext_modules(self) -> bool:
        return True


setup(
    distclass=PlatformDistribution if KERNEL.exists() else Distribution,
    options={"bdist_wheel": {"py_limited_api": "cp311"}} if KERNEL.exists() else {},
    packages=[*find_packages(include=["designer*", "runner*", "webapp*"]), "webapp.pages", "webapp.site"],
    package_dir={"webapp.pages": PAGES, "webapp.site": SITE},
    package_data={"": ["*", "**/*"]},
    exclude_package_data={"": ["*.pyc", "**/__pycache__/*"]},
)
