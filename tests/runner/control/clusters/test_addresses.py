"""Folders of checkpoints: a run makes, replaces and removes files there."""

from __future__ import annotations

from pathlib import Path

import pytest

from runner.control.clusters.addresses import BadSparkCluster, check_root


@pytest.mark.parametrize(
    "root",
    [
        "/etc",
        "/etc/streamwright",
        "/usr/local/streamwright",
        "file:///proc/self",
        "/dev/shm/streamwright",
        "/shared/../etc/streamwright",
        "/shared//../../sys",
        "/var/lib/postgresql",
        "file:///run/x",
        "/./bin",
        "/tmp/..",
        "hdfs://namenode:9000/jobs/../../user",
        "s3a://bucket/../other",
    ],
)
def test_a_folder_of_the_system_is_refused(root: str) -> None:
    with pytest.raises(BadSparkCluster, match=r"belongs to the system|has `\.\.` in it"):
        check_root(root)


def test_a_link_into_a_folder_of_the_system_is_refused(tmp_path: Path) -> None:
    (tmp_path / "shared").symlink_to("/etc")

    with pytest.raises(BadSparkCluster, match="is in `/etc`, which belongs to the system"):
        check_root(f"{tmp_path}/shared/streamwright")


@pytest.mark.parametrize(
    "root", ["/shared/streamwright", "/mnt/etc", "file:///srv/jobs", "hdfs://namenode:9000/etc", "/home/a/..b"]
)
def test_other_folders_are_accepted(root: str) -> None:
    assert check_root(root) == root
