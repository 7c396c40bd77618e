"""What a session of processes holds of the memory."""

import subprocess
import sys

from runner.control.hosts.memory import measure_memory

MIB = 1_024 * 1_024
HOLDER = """
import mmap, os, sys, tempfile
held = bytearray(os.urandom(64 << 20))
with tempfile.TemporaryFile() as file:
    file.truncate(64 << 20)
    mapped = mmap.mmap(file.fileno(), 64 << 20)
    mapped[:] = held
    if os.fork():
        print("holds", flush=True)
    sys.stdin.read()
"""


def test_what_forks_share_counts_once_and_files_do_not_count() -> None:
    command = [sys.executable, "-c", HOLDER]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        held = measure_memory(holder.pid)
        holder.communicate()

    assert 64 * MIB < held < 120 * MIB
    assert measure_memory(holder.pid) == 0
