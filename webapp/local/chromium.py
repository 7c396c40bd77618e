"""Finds a Chromium for the browser tests, or installs one."""

import os
import shutil
import subprocess
from pathlib import Path

from .problem import Problem
from .steps import run, say

NAMES = ("chromium", "chromium-browser", "google-chrome")


def find_executable(home: Path) -> Path | None:
    """The browser for tests: CHROMIUM, else one on PATH, else the one that Playwright installed into `home`."""
    override = os.environ.get("CHROMIUM")
    candidates = [override] if override else [path for name in NAMES if (path := shutil.which(name))]
    candidates += sorted(map(str, (home / "browsers").glob("chromium-*/chrome-linux*/chrome")))
    return Path(candidates[0]) if candidates else None


def install(home: Path, python: Path) -> None:
    """Makes sure that there is one: from Debian's packages as root, else through Playwright."""
    if find_executable(home):
        return
    if os.geteuid() == 0 and shutil.which("apt-get"):
        _unpack_from_debian()
    if not find_executable(home):
        say("fetching Chromium through Playwright")
        env = {**os.environ, "PLAYWRIGHT_BROWSERS_PATH": str(home / "browsers")}
        subprocess.run([python, "-m", "playwright", "install", "chromium"], env=env)
    if not find_executable(home):
        raise Problem("Chromium is missing: install it (on Debian: apt-get install chromium) or set CHROMIUM to one.")


def _unpack_from_debian() -> None:
    quiet = {"DEBIAN_FRONTEND": "noninteractive"}
    run(["apt-get", "-qq", "update"], "reading Debian's package lists", env=quiet)
    run(["apt-get", "-qq", "-y", "install", "--no-install-recommends", "chromium"], "installing Chromium", env=quiet)
