"""Places of files: in a checkout below its folder, with an installed package below the user's home.

Standard library only: the installer reads it before anything is installed.
"""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
"""The folder of our packages."""
IS_CHECKOUT = (ROOT / "manage.py").exists()
_DATA = Path(os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share"))
HOME = Path(os.environ.get("STREAMWRIGHT_HOME") or (ROOT / ".run" if IS_CHECKOUT else _DATA / "streamwright"))
"""Everything that the product writes."""
PAGES = ROOT / "frontend" / "dist" if IS_CHECKOUT else ROOT / "webapp" / "pages"
"""The built pages."""
SITE = ROOT / ".run" / "site" if IS_CHECKOUT else ROOT / "webapp" / "site"
"""The built site of docs/."""
