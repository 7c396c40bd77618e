"""An install repeats nothing, resumes, and trusts only hashes."""

import errno
import os
import re
import subprocess
import threading
import venv
from pathlib import Path

import pytest

from tests.patience import PATIENCE_SECONDS
from webapp.local import install, jars, places
from webapp.local.problem import Problem, describe_disk_error
from webapp.local.steps import InstallStep, hash_files

ROOT = Path(__file__).parents[2]


def step(folder: Path, inputs: str, runs: list[str]) -> InstallStep:
    def run() -> None:
        runs.append(inputs)
        (folder / "result").touch()

    return InstallStep("thing", "a thing", inputs, folder / "result", run)


def test_a_step_is_done_until_its_inputs_change_or_its_result_goes(tmp_path: Path):
    runs: list[str] = []
    first, second = step(tmp_path, "a", runs), step(tmp_path, "b", runs)

    first.carry_out(tmp_path / "stamps")

    assert first.is_done(tmp_path / "stamps")
    assert not second.is_done(tmp_path / "stamps")
    (tmp_path / "result").unlink()
    assert not first.is_done(tmp_path / "stamps")


def test_an_interrupted_step_is_not_done(tmp_path: Path):
    def interrupted() -> None:
        (tmp_path / "result").touch()
        raise KeyboardInterrupt

    broken = InstallStep("thing", "a thing", "a", tmp_path / "result", interrupted)

    with pytest.raises(KeyboardInterrupt):
        broken.carry_out(tmp_path / "stamps")

    assert not broken.is_done(tmp_path / "stamps")


def test_tracks_run_side_by_side_after_the_steps_of_none(streamwright_home: Path):
    both = threading.Barrier(2, timeout=PATIENCE_SECONDS)
    order: list[str] = []

    def step(name: str, track: str = "") -> InstallStep:
        def run() -> None:
            if track:
                both.wait()
            order.append(name)

        return InstallStep(f"test-{name}", name, "any", streamwright_home / name, run, track)

    install.run_in_tracks([step("jars", "jars"), step("python"), step("pages", "pages")])

    assert order[0] == "python"
    assert sorted(order) == ["jars", "pages", "python"]


def test_a_track_that_fails_is_told_when_the_others_have_ended(streamwright_home: Path):
    ended: list[str] = []

    def broken() -> None:
        raise Problem("no network")

    steps = [
        InstallStep("test-broken", "broken", "any", streamwright_home / "broken", broken, "one"),
        InstallStep("test-whole", "whole", "any", streamwright_home / "whole", lambda: ended.append("whole"), "two"),
    ]

    with pytest.raises(Problem, match="no network"):
        install.run_in_tracks(steps)

    assert ended == ["whole"]


def test_the_fingerprint_follows_names_and_contents(tmp_path: Path):
    (tmp_path / "a").write_text("1")
    before = hash_files([tmp_path / "a"])

    (tmp_path / "a").write_text("2")

    assert hash_files([tmp_path / "a"]) != before


def test_every_jar_is_listed_with_a_full_hash():
    listed = jars.list_jars()

    assert {jar.folder for jar in listed} == {"kafka", "s3", "spark"}
    assert all(re.fullmatch("[0-9a-f]{64}", jar.sha256) for jar in listed)
    assert len({(jar.folder, jar.file) for jar in listed}) == len(listed)


def test_a_start_from_a_checkout_without_jars_says_how_to_install_them(tmp_path: Path):
    jars.refuse_missing(ROOT / ".run" / "jars", ROOT / ".run")

    with pytest.raises(Problem, match=f"`STREAMWRIGHT_HOME={tmp_path} make install`"):
        jars.refuse_missing(tmp_path / "jars", tmp_path)


def test_the_installed_jars_are_the_listed_ones():
    assert all(jar.is_intact(ROOT / ".run" / "jars") for jar in jars.list_jars())


def test_a_jar_with_other_content_is_refused(tmp_path: Path):
    jar = jars.list_jars()[0]
    (tmp_path / jar.file).write_bytes(b"something else")

    with pytest.raises(Problem, match=rf"{jar.file} was fetched with sha256 .* expected {jar.sha256}"):
        jars.take_jar(jar, tmp_path, tmp_path / "jars")


@pytest.mark.parametrize("name", ["run", "dev", "tools", "redis"])
def test_requirements_are_pinned_by_hash_and_name_no_address(name: str):
    text = (ROOT / "requirements" / f"{name}.txt").read_text()
    packages = [line for line in text.splitlines() if line and not line.startswith((" ", "#"))]

    assert "://" not in text
    assert packages
    assert all("==" in line and line.endswith("\\") for line in packages)


def test_what_several_homes_share_is_stamped_where_it_is():
    names = {step.name: install.find_stamps(step) for step in install.list_steps(is_dev=True)}

    assert names["python"] == names["frontend"] == install.VENV / "stamps"
    assert names["jars"] == places.HOME / "stamps"


def test_our_packages_are_found_in_a_folder_with_letters_that_the_locale_lacks(tmp_path: Path):
    root = tmp_path / "josé"
    venv.create(root / ".venv", symlinks=True)
    (root / "ours.py").write_text("print('found')")
    (packages,) = root.glob(".venv/lib/*/site-packages")

    install.add_to_path(packages, root)

    command = [str(root / ".venv/bin/python"), "-c", "import ours"]
    found = subprocess.run(command, env={"LC_ALL": "C"}, cwd="/", capture_output=True, text=True)
    assert (found.stdout, found.stderr) == ("found\n", "")


def test_recipes_work_in_a_folder_of_any_name_and_after_a_move():
    """Make does not quote $(CURDIR), and scripts in .venv/bin name the folder in which they were installed."""
    recipes = [line for line in (ROOT / "Makefile").read_text().splitlines() if line.startswith("\t")]

    assert len(recipes) > 30
    assert [line for line in recipes if "$(CURDIR)" in line or line.startswith("\t.venv/bin/")] == []


@pytest.mark.parametrize(
    ("number", "says"),
    [
        (errno.ENOSPC, "^the disk with .* is full"),
        (errno.EACCES, r"\(Permission denied\)\. .* belongs to \w+: run this as that user"),
        (errno.EROFS, r"\(Read-only file system\)\. .* belongs to"),
    ],
)
def test_files_that_cannot_be_written_are_one_sentence(tmp_path: Path, number: int, says: str):
    sentence = describe_disk_error(OSError(number, os.strerror(number), str(tmp_path / "none" / "file")), tmp_path)

    assert sentence is not None
    assert re.search(says, sentence)
    assert describe_disk_error(OSError(errno.EBADF, "another"), tmp_path) is None
