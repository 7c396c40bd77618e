"""The Markdown pages of the project, and their prose."""

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / name
    for name in subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.splitlines()
    if (ROOT / name).exists()
]
LINK = re.compile(r"\]\(([^)\s]+)\)")
"""The target of a link."""


def without_code(page: Path) -> str:
    """The page without its fenced blocks."""
    return without_fences(page.read_text())


def without_fences(text: str) -> str:
    """Markdown without its fenced blocks."""
    return re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)


def anchor_of(heading: str) -> str:
    """The anchor that a heading of Markdown gets: `Offsets that are gone` has `offsets-that-are-gone`."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")
