"""The commands that messages name are those that a user can type."""

import runpy
import shutil
from pathlib import Path

import designer.command_line


def test_a_package_without_a_checkout_has_a_command_of_its_own(tmp_path: Path):
    module = tmp_path / "designer" / "command_line.py"
    module.parent.mkdir()
    shutil.copy(designer.command_line.__file__, module)

    installed = runpy.run_path(str(module))

    assert (installed["MANAGE"], installed["START"]) == ("streamwright", "streamwright up")
    assert (designer.command_line.MANAGE, designer.command_line.START) == ("manage.py", "make run")
