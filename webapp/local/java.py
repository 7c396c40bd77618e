"""Finds Java 17 or 21: by JAVA_HOME, else on PATH."""

import os
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

from .problem import Problem

SUPPORTED_VERSIONS = (17, 21)
INSTALL = "install Java 17 or 21 (on Debian: apt-get install openjdk-17-jre-headless) or set JAVA_HOME to one"


@cache
def find_java() -> Path:
    """The java program to use. Raises a Problem if there is none or its version does not fit."""
    path = _find_program()
    version = _read_version(path)
    if version not in SUPPORTED_VERSIONS:
        raise Problem(f"{path} is Java {version}, Streamwright runs on Java 17 or 21: {INSTALL}.")
    return path


def _find_program() -> Path:
    home = os.environ.get("JAVA_HOME")
    if home and not Path(home, "bin", "java").exists():
        raise Problem(f"JAVA_HOME is {home}, but it has no bin/java: {INSTALL}.")
    program = str(Path(home, "bin", "java")) if home else shutil.which("java")
    if not program:
        raise Problem(f"Java is missing: {INSTALL}.")
    return Path(program)


def _read_version(path: Path) -> int:
    """The feature version, 8 for the old style 1.8."""
    try:
        output = subprocess.run([path, "-version"], capture_output=True, text=True).stderr
    except OSError as error:
        raise Problem(f"{path} cannot be started ({error.strerror}): {INSTALL}.") from error
    number = re.search(r'version "(?:1\.)?(\d+)', output)
    if not number:
        raise Problem(f"{path} -version does not show its version: {INSTALL}.")
    return int(number[1])
