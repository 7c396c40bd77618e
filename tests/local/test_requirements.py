"""All files of pinned packages install into one environment."""

import re
from collections import defaultdict
from pathlib import Path

REQUIREMENTS = Path(__file__).parents[2] / "requirements"


def test_a_package_has_one_version_in_all_files() -> None:
    versions = defaultdict(set)
    for file in REQUIREMENTS.glob("*.txt"):
        for name, pin in re.findall(r"^([\w.-]+)(?:\[[\w,-]+])?==([^\\\n]+)", file.read_text(), re.MULTILINE):
            version, _, marker = pin.partition(";")
            versions[name.lower(), marker.strip()].add(version.strip())

    assert len(versions) > 50
    assert {package: found for package, found in versions.items() if len(found) > 1} == {}
