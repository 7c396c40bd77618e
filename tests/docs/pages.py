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


def without_code(page: Path) -> str:
    """The page without its fenced blocks."""
    return re.sub(r"^```.*?^```", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
