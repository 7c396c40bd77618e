"""All files of pinned packages install into one environment."""

import re
from collections import defaultdict
from pathlib import Path

REQUIREMENTS = Path(__file__).parents[2] / "requirements"


def test_a_package_has_one_version_in_all_files() -> None:
    versions = defaultdict(set)
    for file in REQUIREMENTS.glob("*.txt"):
        for name, version in re.findall(r"^([\w.-]+)(?:\[[\w,-]+])?==(\S+)", file.read_text(), re.MULTILINE):
            versions[name.lower()].add(version)

    assert len(versions) > 50
    assert {name: found for name, found in versions.items() if len(found) > 1} == {}
