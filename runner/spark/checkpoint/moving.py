"""Checkpoints that a run copies before it reads them, because its job has moved to another place."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor

from runner.plan import Move, Plan
from runner.spark.checkpoint import whole
from runner.spark.checkpoint.hadoop import File, copy, get_file, make_uri, measure_size, remove_tree
from runner.spark.codes import RunCode
from runner.spark.failures import TRIED_AGAIN, RunFailed, describe_file_error

TOKEN_FILE = "moved"
"""The file in a copy that holds the token of its move. It is written last."""
PROBE_FILE = "moving"
"""A file that is in a target for a moment, to see whether the source is the same folder."""
SCHEMA = re.compile(rb'"[^"]*(/state/\d+/_stateSchema/[^"]+)"')
"""Place where Spark's metadata of a state store names the file of its schema, by a full address."""
AT_ONCE = 16
"""Copies at once. Files are small, and each takes some round trips."""
DEPTH = 3
"""Depth up to which folders are split, to copy logs and single slots at once."""
log = logging.getLogger(__name__)


def is_made(move: Move) -> bool:
    """True if the copy is complete. Raises OSError."""
    token_file = get_file(move.target) / TOKEN_FILE
    return token_file.exists() and token_file.read_bytes() == move.token.encode()


def take_back_moves(plan: Plan) -> Plan:
    """The plan of a finished run. If it did not complete a copy, that checkpoint is where it was. Raises OSError."""
    return plan.move_to({move.target: move.source for move in plan.moves if not is_made(move)})


def make(moves: Iterable[Move]) -> None:
    """Make the copies that are not complete. The writer of the job must be fenced, so that no source changes.

    For each copy:

    1. If the target has the token of this move, it is complete.
    2. If both addresses name one folder, copy nothing: a folder must not replace itself.
    3. Empty the target, copy all files, and compare the sizes.
    4. Write the token into the target, last of all.

    A crash before 4 leaves no token, so the next run copies again. Until the first batch is committed on the copy, the
    source stays whole (`remove_sources`), and a deploy in between goes back to it (`take_back_moves`). A missing source
    replaces nothing: someone moved the folder by hand, or no run has used it. `test_moving.py` shows each of these.

    Raises RunFailed, after which the run is tried again.
    """
    for move in moves:
        try:
            if not is_made(move):
                _copy(move)
        except OSError as error:
            raise RunFailed(
                RunCode.CHECKPOINT_NOT_MOVED,
                f"The checkpoint could not be copied from `{move.source}` to `{move.target}`. "
                f"{describe_file_error(error)}",
                f"Check that the run's host reaches both file systems. {TRIED_AGAIN}",
                retriable=True,
            ) from error


def remove_sources(moves: Iterable[Move]) -> None:
    """Remove the sources of the copies. Only after the first batch is committed on the copies.

    Until then a deploy may go back to them (`take_back_moves`). A copy without its token is not complete, so its source
    stays. Where no source was found, the batch is only in the target: it gets the token, so that the next move begins
    there. A crash in between leaves sources that nobody reads. The next epoch removes them with those of this one
    (`RunSupervisor.forget_older_epochs`).
    """
    for move in moves:
        try:
            if not is_made(move):
                _keep_target(move)
            elif not _is_same(move):
                remove_tree(get_file(move.source))
        except OSError as error:
            log.warning("%s stays, though nothing needs it: %s", move.source, error)


def _keep_target(move: Move) -> None:
    if not get_file(move.source).exists() and get_file(move.target).exists():
        whole.write(get_file(move.target) / TOKEN_FILE, move.token.encode())


def _copy(move: Move) -> None:
    source, target = get_file(move.source), get_file(move.target)
    if not source.exists():
        return  # no run has used it yet, or someone moved the folder of all by hand
    if not _is_same(move):
        _fill(source, target)
    whole.write(target / TOKEN_FILE, move.token.encode())


def _is_same(move: Move) -> bool:
    """True if both addresses name one folder, which must not replace itself."""
    target, probe_file = get_file(move.target), get_file(move.source) / PROBE_FILE
    target.mkdir(parents=True, exist_ok=True)
    whole.write(target / PROBE_FILE, move.token.encode())
    try:
        return probe_file.exists() and probe_file.read_bytes() == move.token.encode()
    finally:
        whole.remove(target / PROBE_FILE)


def _fill(source: File, target: File) -> None:
    remove_tree(target)
    parts = list(_list_parts(source, DEPTH))
    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(lambda part: copy(part, target / part.relative_to(source)), parts))
    if (size := measure_size(target)) != (source_size := measure_size(source)):
        raise OSError(f"The copy has {size:,} bytes instead of {source_size:,}.")
    forms = [form for form in target.glob("state/*/_metadata/v2/*") if not _is_checksum(form)]
    for form in forms:  # files written here lose their checksum
        whole.write(form, SCHEMA.sub(rb'"' + make_uri(target).encode() + rb'\1"', form.read_bytes()))
    log.info("Copied the checkpoint from %s to %s: %d bytes.", source, target, size)


def _list_parts(folder: File, depth: int) -> Iterable[File]:
    for path in folder.iterdir():
        if depth and path.is_dir():
            yield from _list_parts(path, depth - 1)
        elif not _is_checksum(path):  # Hadoop copies checksums with their files
            yield path


def _is_checksum(path: File) -> bool:
    return path.name.startswith(".") and path.suffix == ".crc"
